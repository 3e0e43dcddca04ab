import { keepEBookPlace, listEBookPlaces } from '#contract/reading.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectPlaces } from './queries.ts'
import { storePlace } from './service.ts'
import { placeAnswer, placeView } from './serializers.ts'

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
