import type { RealTime } from '../../clock.ts'
import { keepEBookPlace, listEBookPlaces, type EBookPlace } from '#contract/reading.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectPlaces, type PlaceRow } from './queries.ts'
import { storePlace } from './service.ts'

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

export const placeView = ({ id, slug, readAt, ...place }: PlaceRow): EBookPlace => ({
  '@id': `/api/user_e_book_places/${id}`,
  '@type': 'UserEBookPlace',
  id,
  eBook: `/api/e_books/${slug}`,
  ...place,
  readAt: readAt.toISOString(),
})

export const placeAnswer = (place: PlaceRow, now: RealTime) => ({
  '@context': '/api/contexts/UserEBookPlace',
  ...placeView(place),
  serverTime: now.toISOString(),
})
