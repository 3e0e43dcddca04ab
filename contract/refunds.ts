import Type, { type Static } from 'typebox'
import { Instant, Pounds, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

/** Money that the caller is owed and that is not on its way yet: the provider could not send it, and is asked again. */
export const OwedRefund = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('Refund'),
  id: Uuid,
  order: Uuid,
  orderNumber: Type.String(),
  amount: Pounds,
  since: Instant,
})
export type OwedRefund = Static<typeof OwedRefund>

export const listOwedRefunds = endpoint({
  method: 'GET',
  path: '/api/refunds',
  summary: 'What the caller is still to be sent',
  access: 'user',
  reply: collection(OwedRefund),
})
