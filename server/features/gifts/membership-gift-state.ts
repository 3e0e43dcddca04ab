import type { membershipGifts } from '../../db/schema/gifts.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/**
 * The database derives the state from the times in the row. A dispute suspends a gift; afterwards it is what it was, or
 * what its membership became meanwhile.
 */
export const MEMBERSHIP_GIFT_STATES: StateMachine<(typeof membershipGifts.$inferSelect)['state']> = {
  table: 'membership_gifts',
  column: 'state',
  next: {
    scheduled: ['sent', 'claimed', 'lapsed', 'taken_back', 'suspended', 'revoked'],
    sent: ['claimed', 'lapsed', 'taken_back', 'suspended', 'revoked'],
    /** A claimed gift waits for the current membership to end. */
    claimed: ['begun', 'suspended', 'revoked'],
    begun: ['suspended', 'revoked'],
    lapsed: ['suspended', 'revoked'],
    taken_back: ['suspended', 'revoked'],
    suspended: ['scheduled', 'sent', 'claimed', 'begun', 'lapsed', 'taken_back', 'revoked'],
    revoked: [],
  },
}
