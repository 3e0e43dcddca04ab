import { LRUCache } from 'lru-cache'
import { notFound } from '../../http/http-errors.ts'
import { inBatches } from '../../http/in-batches.ts'
import { isUuid } from '../../http/schemas.ts'
import { UntilCatalogueChange } from '../../http/until-catalogue-change.ts'
import { atMost } from '../../lru.ts'
import type { Shop } from '../../shop.ts'
import { selectBookOfTime, selectTimelines, type TimeTable } from './queries.ts'
import type { ChapterOffsets } from './timeline.ts'

const MOST_TIMELINES = 5_000
const MOST_ROWS = 20_000

/**
 * Cached until the catalogue changes. Null, which is not cached, for a slug without an audiobook: so a new title is
 * found immediately.
 */
export function timelinesOf({ db, answers }: Shop): (slug: string) => Promise<ChapterOffsets | null> {
  const timelines = new UntilCatalogueChange<ChapterOffsets>(answers, MOST_TIMELINES)
  const load = inBatches<string, ChapterOffsets | null>(
    async (slugs) => {
      const found = new Map((await selectTimelines(db, slugs)).map((timeline) => [timeline.slug, timeline]))
      return slugs.map((slug) => found.get(slug) ?? null)
    },
    { most: 200, waitingAtMost: 10_000 },
  )
  const loadKnown = async (slug: string): Promise<ChapterOffsets> => {
    const timeline = await load(slug)
    if (!timeline) throw new UnknownSlug(slug)
    return timeline
  }
  return (slug) =>
    timelines
      .of(slug, () => loadKnown(slug))
      .catch((error: unknown) => {
        if (error instanceof UnknownSlug) return null
        throw error
      })
}

/** Thrown inside the cache only, because it does not store what throws. */
class UnknownSlug extends Error {}

interface BookOfTime {
  readonly bookId: number
  readonly slug: string
  /** For a book's row only the chapter at the first lookup: its resume point moves through the chapters. */
  readonly chapter: number
}

/**
 * Cached, because a player patches the same row every few seconds and a row never changes its owner or book.
 * @throws 404 for an unknown row, or one of another account
 */
export function bookOfTimes({ db }: Pick<Shop, 'db'>, table: TimeTable) {
  const found = new LRUCache<string, BookOfTime>(atMost(MOST_ROWS))
  return async (id: string, userId: string): Promise<BookOfTime> => {
    const key = `${userId} ${id}`
    const known = found.get(key)
    if (known) return known
    const book = isUuid(id) ? await selectBookOfTime(db, table, { id, userId }) : undefined
    if (!book) throw notFound()
    found.set(key, book)
    return book
  }
}
