import Type, { type Static } from 'typebox'
import { Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

const SavedCard = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('PaymentMethod'),
  id: Uuid,
  /** The provider's name of it: `visa`, `mastercard`, `amex` … */
  brand: Type.String(),
  last4: Type.String(),
  /** Its last month: `2028-08`. */
  expires: Type.String(),
  expired: Type.Boolean(),
})
export type SavedCard = Static<typeof SavedCard>

/** The cards that the caller asked to save, the one used last first. A card that only pays a membership is none. */
export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/api/payment_methods',
  summary: 'Your saved cards',
  access: 'user',
  reply: collection(SavedCard),
})

/** Safe to repeat after a lost answer: 404. A membership that the card pays for keeps renewing with it. */
export const removePaymentMethod = endpoint({
  method: 'DELETE',
  path: '/api/payment_methods/{id}',
  summary: 'Remove a saved card',
  access: 'user',
  status: 204,
  params: Type.Object({ id: Uuid }),
})
