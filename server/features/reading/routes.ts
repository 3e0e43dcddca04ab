import type { RealTime } from '../../clock.ts'
import { keepEBookPlace, listEBookPlaces, type EBookPlace } from '#contract/reading.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectPlaces, type PlaceRow, insertEvent, selectPlace, writePlace } from './queries.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { ownsBook } from '../library/queries.ts'
import { selectBookId, type SentVersion, versionOf } from '../synced-rows/queries.ts'

const PAGE = 30

export function registerReading(server: ApiServer): void {
  const { shop } = server

  serve(server, listEBookPlaces, async ({ caller, query, url }) => {
    const page = pageOf(query, PAGE)
    const { rows, total } = await selectPlaces(shop.db, {
      userId: caller.userId,
      slug: query.eBook === undefined ? undefined : slugIn(query.eBook),
      page,
    })
    return hydraList({ type: 'UserEBookPlace', url, members: rows.map(placeView), total, ...page })
  })

  serve(server, keepEBookPlace, async ({ caller, body: { eBook, ...event }, reply }) => {
    const { place, isNew } = await storePlace(shop, caller.userId, slugIn(eBook), event)
    const answer = placeAnswer(place, shop.now())
    if (isNew) reply.code(201).header('location', answer['@id'])
    return answer
  })
}

/** Accepts an IRI or a plain slug. */
const slugIn = (eBook: string) => eBook.replace(/^\/api\/e_books\//, '')

const placeView = ({ id, slug, readAt, ...place }: PlaceRow): EBookPlace => ({
  '@id': `/api/user_e_book_places/${id}`,
  '@type': 'UserEBookPlace',
  id,
  eBook: `/api/e_books/${slug}`,
  ...place,
  readAt: readAt.toISOString(),
})

const placeAnswer = (place: PlaceRow, now: RealTime) => ({
  '@context': '/api/contexts/UserEBookPlace',
  ...placeView(place),
  serverTime: now.toISOString(),
})

interface SentPlace extends Omit<SentVersion, 'changedAt'> {
  readonly locator: string
  readonly share: number
  readonly readAt?: string
}

/** A repeated event changes nothing. @throws 404 if the book is not in the reader's library */
async function storePlace(
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
