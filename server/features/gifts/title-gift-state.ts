import type { gifts } from '../../db/schema/gifts.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/** The database derives the state from the times in the row. A revoked gift returns if its money does. */
export const TITLE_GIFT_STATES: StateMachine<(typeof gifts.$inferSelect)['state']> = {
  table: 'gifts',
  column: 'state',
  next: {
    given: ['claimed', 'taken_back', 'revoked'],
    claimed: ['revoked'],
    /** The giver asked for a refund, which is on its way. */
    taken_back: ['revoked'],
    revoked: ['given', 'claimed', 'taken_back'],
  },
}
