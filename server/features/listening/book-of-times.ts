import { isUuid } from '../../http/schemas/is-uuid.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { selectBookOfTime, type TimeTable } from './queries.ts'

interface BookOfTime {
  readonly bookId: number
  readonly slug: string
  /**
   * Constant for a chapter's row. A book's row moves through the chapters, so there it is the first chapter that was
   * read.
   */
  readonly chapter: number
}

const KEPT_AT_MOST = 20_000

/**
 * The book that a time belongs to. A row never changes its listener or its book, so what was found once
 * needs no asking while a player patches the same row every few seconds. Throws 404, for another's row too.
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
