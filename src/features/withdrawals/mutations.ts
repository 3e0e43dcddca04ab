import type { WithdrawalStatement } from '#contract/withdrawals.ts'
import { call } from '#net/call.ts'
import type { StatementDraft } from './draft.ts'

/** Safe to repeat: the same text is the same statement. */
export const stateWithdrawal = ({
  name,
  contract,
  email,
  scope,
}: StatementDraft): Promise<WithdrawalStatement> =>
  call('POST /api/withdrawals', {
    body: {
      name: name.trim(),
      contract: contract.trim(),
      email: email.trim(),
      scope: scope.trim() || null,
    },
  })
