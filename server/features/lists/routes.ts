import type { RealTime } from '../../clock.ts'
import { LIST_SIZE } from '#contract/limits.ts'
import * as contract from '#contract/lists.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectRows, type ListRow } from './queries.ts'
import { changeRow } from './service.ts'
import type { QueuedTitle, Shelf, ShelfTitle } from '#contract/lists.ts'

export function registerLists(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.listQueue, async ({ caller, query, url }) => {
    const page = pageOf(query, LIST_SIZE.queue)
    const { rows, total } = await selectRows(shop.db, { userId: caller.userId, kind: 'queue', page })
    return hydraList({ type: 'UserQueue', url, members: rows.map(queueView), total, ...page })
  })
  serve(server, contract.putInQueue, async ({ caller, params: { id }, body: { audioBook, ...sent } }) => {
    const subject = { kind: 'queue', title: titleIn(audioBook) } as const
    const row = await changeRow(shop, caller.userId, id.toLowerCase(), { subject, sent })
    return answerOf(queueView(row), shop.now())
  })

  serve(server, contract.listShelves, async ({ caller, query, url }) => {
    const page = pageOf(query, LIST_SIZE.shelves)
    const { rows, total } = await selectRows(shop.db, { userId: caller.userId, kind: 'shelf', page })
    return hydraList({ type: 'UserShelf', url, members: rows.map(shelfView), total, ...page })
  })
  serve(server, contract.putShelf, async ({ caller, params: { id }, body: { name, ...sent } }) => {
    const row = await changeRow(shop, caller.userId, id.toLowerCase(), {
      subject: { kind: 'shelf', name },
      sent,
    })
    return answerOf(shelfView(row), shop.now())
  })

  serve(server, contract.listShelfTitles, async ({ caller, query, url }) => {
    const page = pageOf(query, LIST_SIZE.shelfTitles)
    const { rows, total } = await selectRows(shop.db, { userId: caller.userId, kind: 'shelf_title', page })
    return hydraList({ type: 'UserShelfTitle', url, members: rows.map(shelfTitleView), total, ...page })
  })
  serve(server, contract.putOnShelf, async ({ caller, params: { id }, body: { shelf, title, ...sent } }) => {
    const subject = { kind: 'shelf_title', title: titleIn(title), shelfId: shelf.toLowerCase() } as const
    const row = await changeRow(shop, caller.userId, id.toLowerCase(), { subject, sent })
    return answerOf(shelfTitleView(row), shop.now())
  })
}

function titleIn(iri: string): { format: 'audio_book' | 'e_book'; slug: string } {
  const [, , kind, slug = ''] = iri.split('/')
  return { format: kind === 'e_books' ? 'e_book' : 'audio_book', slug: decodeURIComponent(slug) }
}

const held = ({ id, position, changedAt, eventId, deviceId, removedAt }: ListRow) => ({
  ...{ id, position, eventId, deviceId },
  changedAt: changedAt.toISOString(),
  removed: removedAt !== null,
})

const titleOf = ({ format, slug }: ListRow) => `/api/${format}s/${slug}`

export const queueView = (row: ListRow): QueuedTitle => ({
  '@id': `/api/user_queue/${row.id}`,
  '@type': 'UserQueue',
  ...held(row),
  audioBook: titleOf(row),
})

export const shelfView = (row: ListRow): Shelf => ({
  '@id': `/api/user_shelves/${row.id}`,
  '@type': 'UserShelf',
  ...held(row),
  name: row.name,
})

export const shelfTitleView = (row: ListRow): ShelfTitle => ({
  '@id': `/api/user_shelf_titles/${row.id}`,
  '@type': 'UserShelfTitle',
  ...held(row),
  shelf: row.shelfId ?? '',
  title: titleOf(row),
})

export const answerOf = <View extends { readonly '@type': string }>(view: View, now: RealTime) => ({
  '@context': `/api/contexts/${view['@type']}`,
  ...view,
  serverTime: now.toISOString(),
})
