import type { QueuedTitle, Shelf, ShelfTitle } from '#contract/lists.ts'
import { call, type CallInput } from '#net/call.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { clocksAgree, readClock, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { knownOffset, nextSequence, outboxLock, thisDeviceId } from './outbox.ts'
import { placesDb, type ListRow, type PlacesDb } from '#storage/places-db.ts'
import { byPosition } from '#storage/position.ts'
import { formatOfKey, slugOfKey, titleKey } from '#storage/title-key.ts'

export type ListKind = ListRow['kind']
/** A row as the listener wants it. */
export type WantedRow = Pick<ListRow, 'id' | 'kind' | 'position' | 'key' | 'shelf' | 'name'> & {
  removed?: boolean
}

/** Those that stand, in their order. */
export async function rowsOf(db: PlacesDb, kind: ListKind): Promise<ListRow[]> {
  const rows = await db.listRows.where('kind').equals(kind).toArray()
  return rows.filter(({ removed }) => removed === 0).sort(byPosition)
}

/**
 * Changes rows of a kind in one transaction: `work` sees those that stand and says which shall be how. They hold here at once,
 * and wait until the server has them.
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
          clock: { page: clock.page, ms: clock.pageMs },
          offsetMs: await knownOffset(db),
          tries: 0,
        })
    }),
  )

const waitingRows = (db: PlacesDb): Promise<ListRow[]> =>
  db.listRows.filter(({ waiting }) => waiting === 1).sortBy('sequence')

export const countListsWaiting = (ownerUuid: string): Promise<number> =>
  placesDb.use(ownerUuid, async (db) => (await waitingRows(db)).length)

type Stamp = Omit<CallInput<'PUT /api/user_queue/{id}'>['body'], 'audioBook'>
type ServerRow = QueuedTitle | Shelf | ShelfTitle

export interface ListCalls {
  put: (row: ListRow, stamp: Stamp) => Promise<ServerRow>
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
          body: { ...stamp, audioBook: iriOf(row) },
        })
      return call('PUT /api/user_shelf_titles/{id}', {
        ...sending,
        params,
        body: { ...stamp, title: iriOf(row), shelf: row.shelf ?? '' },
      })
    },
  }
}

interface ListPorts {
  lists: ListCalls
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

const GIVEN_UP_AFTER = 3

/** Sends what waits; call it under the outbox's lock only. Throws what is not about a row itself. */
export async function sendLists(
  ownerUuid: string,
  { lists, readClock: clockNow, serverOffset }: ListPorts,
): Promise<'empty' | 'waiting'> {
  const deviceId = await thisDeviceId()
  let outcome: 'empty' | 'waiting' = 'empty'
  for (const row of await placesDb.use(ownerUuid, waitingRows)) {
    const then = { ...row, heardAtMs: row.changedAtMs }
    const now = clockNow()
    const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
    try {
      const answer = await lists.put(row, {
        position: row.position,
        removed: row.removed === 1,
        eventId: row.eventId,
        deviceId,
        sequence: row.sequence,
        changedAt: new Date(row.changedAtMs).toISOString(),
        ...(ago === undefined ? {} : { agoSeconds: ago }),
      })
      await takeAnswer(ownerUuid, row, answer)
    } catch (problem) {
      if (!(problem instanceof NetProblem) || isNotAboutTheRow(problem)) throw problem
      await countRefusal(ownerUuid, row, problem)
      outcome = 'waiting'
    }
  }
  return outcome
}

const isNotAboutTheRow = ({ status, unreachable }: NetProblem) =>
  unreachable || [401, 408, 425, 429].includes(status)

/** The server's word on a row: what was sent, or what another device made of it since. */
const takeAnswer = (ownerUuid: string, sent: ListRow, answer: ServerRow): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.listRows, async () => {
      // Changed again meanwhile: that is sent the next time.
      if ((await db.listRows.get(sent.id))?.eventId !== sent.eventId) return
      if (answer.removed) await db.listRows.delete(sent.id)
      else await db.listRows.put(fromServer(answer))
    }),
  )

/** A change that is refused again and again is no longer sent; the next time the lists are asked for, they are the server's. */
const countRefusal = (
  ownerUuid: string,
  { id, eventId, tries }: ListRow,
  { kind }: NetProblem,
): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.listRows, async () => {
      if ((await db.listRows.get(id))?.eventId !== eventId) return
      const isFinal = kind === 'refused' && tries + 1 >= GIVEN_UP_AFTER
      await db.listRows.update(id, { tries: tries + 1, waiting: isFinal ? 0 : 1 })
    }),
  )

export type AskForLists = () => Promise<readonly ServerRow[]>

/**
 * Takes in the account's queue and shelves: what is not there any more was taken out elsewhere. Not while something is sent, so
 * that no answer is older than what the device knows. What waits here stays as it is.
 */
export const followLists = (ownerUuid: string, ask: AskForLists = askServer(ownerUuid)): Promise<void> =>
  oneAtATime(outboxLock(ownerUuid), async () => {
    const known = await placesDb.use(ownerUuid, (db) =>
      db.listRows.filter(({ waiting }) => waiting === 0).primaryKeys(),
    )
    const rows = (await ask()).map(fromServer)
    const there = new Set(rows.map(({ id }) => id))
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', db.listRows, async () => {
        const waiting = new Set((await waitingRows(db)).map(({ id }) => id))
        await db.listRows.bulkDelete(known.filter((id) => !there.has(id) && !waiting.has(id)))
        await db.listRows.bulkPut(rows.filter(({ id }) => !waiting.has(id)))
      }),
    )
  })

const askServer =
  (ownerUuid: string): AskForLists =>
  async () => {
    const asked = { as: ownerUuid, background: true }
    // All of them, as none is asked for by the page.
    const answers = await Promise.all([
      call('GET /api/user_queue', asked),
      call('GET /api/user_shelves', asked),
      call('GET /api/user_shelf_titles', asked),
    ])
    return answers.flatMap((answer): readonly ServerRow[] => answer['hydra:member'])
  }

const iriOf = ({ key }: ListRow) =>
  key === undefined
    ? ''
    : `/api/${formatOfKey(key) === 'ebook' ? 'e_books' : 'audio_books'}/${encodeURIComponent(slugOfKey(key))}`

function keyOf(iri: string) {
  const [, , kind, slug = ''] = iri.split('/')
  return titleKey(kind === 'e_books' ? 'ebook' : 'audio', decodeURIComponent(slug))
}

const fromServer = (row: ServerRow): ListRow => ({
  id: row.id,
  position: row.position,
  ...(row['@type'] === 'UserQueue'
    ? { kind: 'queue', key: keyOf(row.audioBook) }
    : row['@type'] === 'UserShelf'
      ? { kind: 'shelf', name: row.name }
      : { kind: 'shelfTitle', shelf: row.shelf, key: keyOf(row.title) }),
  removed: row.removed ? 1 : 0,
  changedAtMs: Date.parse(row.changedAt),
  eventId: row.eventId ?? '',
  sequence: 0,
  waiting: 0,
  clock: { page: '', ms: 0 },
  offsetMs: null,
  tries: 0,
})
