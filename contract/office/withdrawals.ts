import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString, Uuid } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Id = Type.Object({ id: Uuid })

/** A statement of withdrawal that a customer sent at `/withdraw`. */
export const WithdrawalStatement = Type.Object({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  /** In the customer's words: an order's number, or a description. */
  contract: Type.String(),
  /** What they withdraw from; null for all of it. */
  scope: NullableString,
  statedAt: Instant,
  /** The last day to pay back. */
  refundBy: Instant,
  /** Why the shop could not carry it out. */
  problem: NullableString,
  /** False until the shop has looked at it, within a minute. */
  isChecked: Type.Boolean(),
  settledAt: nullable(Instant),
  /** Of that address, the newest first. */
  orders: Type.Array(
    Type.Object({ number: Type.String(), at: Instant, titles: Type.String(), state: Type.String() }),
  ),
})
export type WithdrawalStatement = Static<typeof WithdrawalStatement>

export const getWithdrawal = officeEndpoint({
  method: 'GET',
  path: '/api/office/withdrawals/{id}',
  summary: 'A statement of withdrawal, and the orders of its address',
  may: 'orders.refund',
  params: Id,
  reply: WithdrawalStatement,
})
export const settleWithdrawal = officeEndpoint({
  method: 'POST',
  path: '/api/office/withdrawals/{id}/settle',
  summary: 'Take a statement of withdrawal off the list, once it was refunded or answered',
  may: 'orders.refund',
  params: Id,
  body: Type.Object({
    because: Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` }),
  }),
  reply: Type.Object({ entry: Type.Integer() }),
})
