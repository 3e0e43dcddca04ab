import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { ownsBook } from '../library/queries.ts'
import { selectBookId, type SentVersion, versionOf } from '../synced-rows/queries.ts'
import { insertEvent, type PlaceRow, selectPlace, writePlace } from './queries.ts'

export interface SentPlace extends Omit<SentVersion, 'changedAt'> {
  readonly locator: string
  readonly share: number
  readonly readAt?: string
}

/** A repeated event changes nothing. @throws 404 if the book is not in the reader's library */
export async function storePlace(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  userId: string,
  slug: string,
  { locator, share, readAt, ...sent }: SentPlace,
): Promise<{ place: PlaceRow; isNew: boolean }> {
  const arrived = now()
  const bookId = await selectBookId(db, 'e_book', slug)
  if (bookId === undefined || !(await ownsBook(db, userId, bookId))) throw notFound()
  const version = versionOf({ ...sent, ...(readAt === undefined ? {} : { changedAt: readAt }) }, arrived)
  const { eventId, deviceId, sequence } = version
  return db.transaction(async (tx) => {
    const isFresh = await insertEvent(tx, { userId, eventId, receivedAt: arrived })
    const isNew =
      isFresh &&
      (await writePlace(tx, {
        userId,
        bookId,
        locator,
        share,
        readAt: version.changedAt,
        eventId,
        deviceId,
        sequence,
      }))
    const place = await selectPlace(tx, { userId, bookId })
    // The event id was used for another book before.
    if (!place) throw notFound()
    return { place, isNew }
  })
}
