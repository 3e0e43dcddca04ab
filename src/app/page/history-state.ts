import type {} from '@tanstack/history'
import type { PlanId } from '#contract/plans.ts'

/** What a screen tells the one that it leads to, besides its address. */
declare module '@tanstack/history' {
  interface HistoryState {
    /** The screen it leads to offers the way back (BOOK-14). */
    withBack?: true
    /** What the till knows of the order whose confirmation follows (PAY-31). */
    order?: string
    secret?: string
    newUser?: boolean
    /** What the simpler membership page chose (MEMB-22). */
    subscription?: 'month' | 'year'
    /** The membership that was begun, and for whom (PAY-32). */
    subscriptionId?: string
    recipientName?: string
    plan?: PlanId
    /** What was being paid for, so that another try opens the same till. */
    trial?: boolean
    newCardOf?: string
    /** What was just done, for the screen that it leads to to say. */
    done?: string
    gift?: 'gift' | 'xmas'
    /** Why a card's code was refused (RDM-13). */
    refusedCode?: 'unrecognised' | 'redeemed'
  }
}
