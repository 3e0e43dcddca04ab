import { useEffect, useRef } from 'react'
import { toMinor } from '#format/money.ts'
import { useIsMember, useSession } from '#session/store.ts'
import { track } from './track.ts'
import type { SeenBook } from './events.ts'

interface ListedBook extends SeenBook {
  readonly subscriptionPrice: number
}

interface ListView {
  /** "Audiobooks", "Search results". */
  readonly list: string
  /** Identifies the list: its filter or keyword. A change starts a new list. */
  readonly key: string
  /** The loaded pages. */
  readonly pages: readonly (readonly ListedBook[])[]
  /** The position of the first book, from 1. */
  readonly first?: number
}

/** One `view_item_list` per page of a list, once (ANLT-02). */
export function useListViews({ list, key, pages, first = 1 }: ListView): void {
  const known = usePricesKnown()
  const isMember = useIsMember()
  const tracked = useRef({ key: '', pages: 0 })
  useEffect(() => {
    if (!known) return
    if (tracked.current.key !== key) tracked.current = { key, pages: 0 }
    let place = first
    pages.forEach((books, number) => {
      const from = place
      place += books.length
      if (number < tracked.current.pages || books.length === 0) return
      tracked.current.pages = number + 1
      const seen = books.map((book) => priced(book, isMember))
      void track((events) => events.viewItemList(list, seen, from))
    })
  }, [known, isMember, list, key, pages, first])
}

/** One `view_item` per opened book (ANLT-03). */
export function useBookView(book: ListedBook): void {
  const known = usePricesKnown()
  const isMember = useIsMember()
  const tracked = useRef('')
  useEffect(() => {
    const name = `${book.entityType}/${book.slug}`
    if (!known || tracked.current === name) return
    tracked.current = name
    void track((events) => events.viewItem(priced(book, isMember)))
  }, [known, isMember, book])
}

/** With the price that this user sees. */
export const priced = (book: ListedBook, isMember: boolean): SeenBook => ({
  entityType: book.entityType,
  slug: book.slug,
  title: book.title,
  price:
    isMember && toMinor(book.subscriptionPrice) < toMinor(book.price) ? book.subscriptionPrice : book.price,
})

/** True once the session is known, and with it the prices. */
const usePricesKnown = () =>
  useSession(({ ready, status, user }) => ready && (status !== 'user' || user !== null))
