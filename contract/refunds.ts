import Type, { type Static } from 'typebox'
import { Instant, Pounds, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

/** An outstanding refund: Stripe could not send it yet, and it is retried. */
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
