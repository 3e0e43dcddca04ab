import type { withdrawalStatements } from '../../db/schema/withdrawals.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/** `open`: the shop could not carry it out, so the owner has to. The database derives the state from the times. */
export const STATEMENT_STATES: StateMachine<(typeof withdrawalStatements.$inferSelect)['state']> = {
  table: 'withdrawal_statements',
  column: 'state',
  next: {
    stated: ['open', 'settled'],
    open: ['settled'],
    settled: [],
  },
}
