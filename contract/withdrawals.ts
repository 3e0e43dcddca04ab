import Type, { type Static } from 'typebox'
import { Email, Instant, NullableString, visibleLine } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'
import { WITHDRAWAL_LENGTH } from './limits.ts'

const WithdrawalStatement = item('WithdrawalStatement', {
  name: Type.String(),
  contract: Type.String(),
  scope: NullableString,
  email: Type.String(),
  /** The time that counts, in UTC. The receipt that is emailed says the same. */
  statedAt: Instant,
})
export type WithdrawalStatement = Static<typeof WithdrawalStatement>

/**
 * Withdraws from a contract, with or without an account. The statement is stored and a receipt is emailed at once. The
 * answer is the same whether such a contract exists or not. The same text sent again is the same statement, with its
 * first time. 429 after too many.
 */
export const stateWithdrawal = endpoint({
  method: 'POST',
  path: '/api/withdrawals',
  summary: 'Withdraw from a contract',
  access: 'anyone',
  status: 201,
  body: Type.Object({
    name: visibleLine(WITHDRAWAL_LENGTH.name),
    /** An order number, or the contract in one’s own words. */
    contract: visibleLine(WITHDRAWAL_LENGTH.contract),
    email: Email,
    /** The part that is withdrawn from; left out or null for the whole contract. */
    scope: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: WITHDRAWAL_LENGTH.scope }),
    ),
  }),
  reply: WithdrawalStatement,
})
