import { isUuid } from '../../http/schemas.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { selectBookOfTime, type TimeTable } from './queries.ts'

interface BookOfTime {
  readonly bookId: number
  readonly slug: string
  /** For a book's row only the chapter at the first lookup: its resume point moves through the chapters. */
  readonly chapter: number
}

const KEPT_AT_MOST = 20_000

/**
 * Cached, because a player patches the same row every few seconds and a row never changes its owner or book.
 * @throws 404 for an unknown row, or one of another account
 */
export function bookOfTimes({ db }: Pick<Shop, 'db'>, table: TimeTable) {
  const found = new Map<string, BookOfTime>()
  return async (id: string, userId: string): Promise<BookOfTime> => {
    const key = `${userId} ${id}`
    const known = found.get(key)
    if (known) return known
    const book = isUuid(id) ? await selectBookOfTime(db, table, { id, userId }) : undefined
    if (!book) throw notFound()
    if (found.size >= KEPT_AT_MOST) found.clear()
    found.set(key, book)
    return book
  }
}
