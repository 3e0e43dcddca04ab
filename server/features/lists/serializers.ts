import type { QueuedTitle, Shelf, ShelfTitle } from '#contract/lists.ts'
import type { RealTime } from '../../clock.ts'
import type { ListRow } from './queries.ts'

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
