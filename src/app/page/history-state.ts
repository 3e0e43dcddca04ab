import type {} from '@tanstack/history'
import type { PlanId } from '#contract/plans.ts'

/** A screen's message to the one that it leads to, besides its address. */
declare module '@tanstack/history' {
  interface HistoryState {
    /** The screen it leads to offers the way back (BOOK-14). */
    withBack?: true
    /** The order whose confirmation follows, from the checkout (PAY-31). */
    order?: string
    secret?: string
    newUser?: boolean
    /** The choice on the simpler membership page (MEMB-22). */
    subscription?: 'month' | 'year'
    /** The membership that was begun, and for whom (PAY-32). */
    subscriptionId?: string
    recipientName?: string
    /** The delivery date chosen for a gift. */
    day?: string
    plan?: PlanId
    /** The thing that was being paid for, so that another try opens the same checkout. */
    trial?: boolean
    newCardOf?: string
    /** The thing just done, for the screen that it leads to to say. */
    done?: string
    gift?: 'gift' | 'xmas'
    /** Why a card's code was refused (RDM-13). */
    refusedCode?: 'unrecognised' | 'redeemed'
  }
}
