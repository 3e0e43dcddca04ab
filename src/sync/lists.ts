import type { QueuedTitle, Shelf, ShelfTitle } from '#contract/lists.ts'
import { call, type CallInput } from '#net/call.ts'
import { readClock, type ClockReading } from '#storage/clock.ts'
import { placesDb, type ListRow, type PlacesDb } from '#storage/places-db.ts'
import { byPosition } from '#storage/position.ts'
import { iriOfKey, keyOfIri } from '#storage/title-key.ts'
import { nextSequence } from './outbox.ts'
import { CONFIRMED, replaceConfirmed, type SendingClocks, syncedTable, unsentAt } from './synced-table.ts'

export type ListKind = ListRow['kind']
export type WantedRow = Pick<ListRow, 'id' | 'kind' | 'position' | 'key' | 'shelf' | 'name'> & {
  removed?: boolean
}

export async function rowsOf(db: PlacesDb, kind: ListKind): Promise<ListRow[]> {
  const rows = await db.listRows.where('kind').equals(kind).toArray()
  return rows.filter(({ removed }) => removed === 0).sort(byPosition)
}

/**
 * Changes rows of one kind in one transaction: `work` receives the current rows and returns the changed ones.
 * The changes apply here at once, and are unsent until the server has them.
 */
export const changeLists = (
  ownerUuid: string,
  kind: ListKind,
  work: (rows: readonly ListRow[]) => readonly WantedRow[],
  clock: ClockReading = readClock(),
): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.listRows, db.settings, async () => {
      for (const { removed, ...row } of work(await rowsOf(db, kind)))
        await db.listRows.put({
          ...row,
          removed: removed ? 1 : 0,
          changedAtMs: clock.wallMs,
          eventId: crypto.randomUUID(),
          sequence: await nextSequence(db),
          waiting: 1,
          ...(await unsentAt(db, clock)),
        })
    }),
  )

const waitingRows = (db: PlacesDb): Promise<ListRow[]> =>
  db.listRows.filter(({ waiting }) => waiting === 1).sortBy('sequence')

type RowStamp = Omit<CallInput<'PUT /api/user_queue/{id}'>['body'], 'audioBook'>
type ServerRow = QueuedTitle | Shelf | ShelfTitle

export interface ListCalls {
  put: (row: ListRow, stamp: RowStamp) => Promise<ServerRow>
}

export function listCalls(ownerUuid: string): ListCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    put(row, stamp) {
      const params = { id: row.id }
      if (row.kind === 'shelf')
        return call('PUT /api/user_shelves/{id}', {
          ...sending,
          params,
          body: { ...stamp, name: row.name ?? '' },
        })
      if (row.kind === 'queue')
        return call('PUT /api/user_queue/{id}', {
          ...sending,
          params,
          body: { ...stamp, audioBook: row.key === undefined ? '' : iriOfKey(row.key) },
        })
      return call('PUT /api/user_shelf_titles/{id}', {
        ...sending,
        params,
        body: { ...stamp, title: row.key === undefined ? '' : iriOfKey(row.key), shelf: row.shelf ?? '' },
      })
    },
  }
}

const lists = syncedTable<ListRow, ListCalls, ServerRow & { serverTime?: string }>({
  table: (db) => db.listRows,
  idOf: ({ id }) => id,
  changedAtMs: ({ changedAtMs }) => changedAtMs,
  isSame: (now, sent) => now.eventId === sent.eventId,
  waiting: waitingRows,
  send: async ({ put }, row, stamp) =>
    put(row, {
      position: row.position,
      removed: row.removed === 1,
      eventId: row.eventId,
      sequence: row.sequence,
      changedAt: new Date(row.changedAtMs).toISOString(),
      ...(await stamp()),
    }),
  async merge(db, sent, answer, isSame) {
    // If the row has changed since, that change is sent next.
    if (!answer || !isSame) return
    if (answer.removed) await db.listRows.delete(sent.id)
    else await db.listRows.put(fromServer(answer))
  },
  // The next complete answer of the server replaces it.
  givenUp: { waiting: 0 },
})

export const { countWaiting: countListsWaiting } = lists

export const sendLists = (
  ownerUuid: string,
  { lists: calls, ...clocks }: SendingClocks & { lists: ListCalls },
): Promise<'empty' | 'waiting'> => lists.sendAll(ownerUuid, calls, clocks)

type AskForLists = () => Promise<readonly ServerRow[]>

export const followLists = (ownerUuid: string, ask: AskForLists = askServer(ownerUuid)): Promise<void> =>
  replaceConfirmed(ownerUuid, {
    table: (db) => db.listRows,
    changes: (db) => db.listRows,
    confirmed: ({ waiting }) => waiting === 0,
    waiting: waitingRows,
    ask: async () => (await ask()).map(fromServer),
  })

const askServer =
  (ownerUuid: string): AskForLists =>
  async () => {
    const asked = { as: ownerUuid, background: true }
    // Fetches all of them: these endpoints have no pages.
    const answers = await Promise.all([
      call('GET /api/user_queue', asked),
      call('GET /api/user_shelves', asked),
      call('GET /api/user_shelf_titles', asked),
    ])
    return answers.flatMap((answer): readonly ServerRow[] => answer['hydra:member'])
  }

const fromServer = (row: ServerRow): ListRow => ({
  id: row.id,
  position: row.position,
  ...(row['@type'] === 'UserQueue'
    ? { kind: 'queue', key: keyOfIri(row.audioBook) }
    : row['@type'] === 'UserShelf'
      ? { kind: 'shelf', name: row.name }
      : { kind: 'shelfTitle', shelf: row.shelf, key: keyOfIri(row.title) }),
  removed: row.removed ? 1 : 0,
  changedAtMs: Date.parse(row.changedAt),
  eventId: row.eventId ?? '',
  sequence: 0,
  ...CONFIRMED,
})
