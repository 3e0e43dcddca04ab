import { randomUUID } from 'node:crypto'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { ownsBook } from '../library/queries.ts'
import { heardAtMs } from '../listening/place-order.ts'
import { insertEvent, type PlaceRow, selectEBookId, selectPlace, writePlace } from './queries.ts'

export interface SentPlace {
  readonly locator: string
  readonly share: number
  readonly eventId?: string
  readonly deviceId?: string
  readonly sequence?: number
  readonly readAt?: string
  readonly agoSeconds?: number
}

/**
 * Returns the current place. A repeated event changes nothing.
 * @throws 404 if the book is not in the reader's library
 */
export async function storePlace(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  userId: string,
  slug: string,
  event: SentPlace,
): Promise<{ place: PlaceRow; isNew: boolean }> {
  const arrived = now()
  const bookId = await selectEBookId(db, slug)
  if (bookId === undefined || !(await ownsBook(db, userId, bookId))) throw notFound()
  const eventId = event.eventId ?? randomUUID()
  return db.transaction(async (tx) => {
    const isFresh = await insertEvent(tx, { userId, eventId, receivedAt: arrived })
    const isNew =
      isFresh &&
      (await writePlace(tx, {
        userId,
        bookId,
        locator: event.locator,
        share: event.share,
        readAt: new Date(
          heardAtMs({ heardAt: event.readAt, agoSeconds: event.agoSeconds }, arrived.getTime()),
        ),
        eventId,
        deviceId: event.deviceId ?? null,
        sequence: event.sequence ?? 0,
      }))
    const place = await selectPlace(tx, { userId, bookId })
    // The event id was used for another book before.
    if (!place) throw notFound()
    return { place, isNew }
  })
}
