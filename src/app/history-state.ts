import type {} from '@tanstack/history'

/** What a screen tells the one that it leads to, besides its address. */
declare module '@tanstack/history' {
  interface HistoryState {
    /** The screen it leads to offers the way back (BOOK-14). */
    withBack?: true
    /** What the till knows of the order whose confirmation follows (PAY-31). */
    order?: string
    secret?: string
    newUser?: boolean
  }
}
