import type {} from '@tanstack/history'
import type { PlanId } from '#contract/plans.ts'

/** Data for the next screen that is not in its address. */
declare module '@tanstack/history' {
  interface HistoryState {
    /** The next screen shows a back link (BOOK-14). */
    withBack?: true
    /** The order to confirm, from the checkout (PAY-31). */
    order?: string
    secret?: string
    newUser?: boolean
    /** The choice on the simpler membership page (MEMB-22). */
    subscription?: 'month' | 'year'
    /** The new membership and its recipient (PAY-32). */
    subscriptionId?: string
    recipientName?: string
    day?: string
    plan?: PlanId
    /** What was being paid for, so that a retry opens the same checkout. */
    trial?: boolean
    /** A bag with a membership. */
    joins?: true
    newCardOf?: string
    /** The completed action, for the next screen's message. */
    done?: string
    gift?: 'gift' | 'xmas'
    /** Why a card's code was refused (RDM-13). */
    refusedCode?: 'unrecognised' | 'redeemed'
  }
}
