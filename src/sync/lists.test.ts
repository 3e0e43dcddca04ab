import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { QueuedTitle, Shelf, ShelfTitle } from '#contract/lists.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange, settings } from '#net/settings.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { readClock } from '#storage/clock.ts'
import {
  changeLists,
  countListsWaiting,
  followLists,
  type ListCalls,
  listCalls,
  rowsOf,
  sendLists,
  type WantedRow,
} from './lists.ts'
import { placesDb } from '#storage/places-db.ts'
import { byPosition, positionBetween } from '#storage/position.ts'
import { titleKey } from '#storage/title-key.ts'

const queued = async (owner: string) =>
  (await placesDb.use(owner, (db) => rowsOf(db, 'queue'))).map(({ key }) => key?.slice('audio/'.length))
const salt = {
  id: crypto.randomUUID(),
  kind: 'queue',
  key: titleKey('audio', 'salt'),
  position: 'a0',
} as const
const tide = {
  id: crypto.randomUUID(),
  kind: 'queue',
  key: titleKey('audio', 'tide'),
  position: 'Zz',
} as const
const put = (owner: string, ...rows: WantedRow[]) => changeLists(owner, 'queue', () => rows)

const fromServer = (row: typeof salt | typeof tide, more: Partial<QueuedTitle> = {}): QueuedTitle => ({
  ...{ '@id': '', '@type': 'UserQueue', id: row.id, position: row.position, removed: false },
  ...{ audioBook: `/api/audio_books/${row.key.slice('audio/'.length)}`, changedAt: '2026-01-01T00:00:00Z' },
  ...{ eventId: null, deviceId: null, ...more },
})
const send = (owner: string, answer: ListCalls['put']) =>
  sendLists(owner, { lists: { put: answer }, readClock, serverOffset: async () => 0 })

test('listening: a position sorts between its neighbours and stays short', () => {
  expect([positionBetween(undefined, undefined), positionBetween('a0', undefined)]).toEqual(['a0', 'a1'])
  expect([positionBetween(undefined, 'a0'), positionBetween('a0', 'a1')]).toEqual(['Zz', 'a0V'])
  // Inserts rows at pseudo-random positions that are the same in every run.
  const positions: string[] = []
  for (let step = 0; step < 600; step += 1) {
    const at = (step * 7919) % (positions.length + 1)
    positions.splice(at, 0, positionBetween(positions[at - 1], positions[at]))
  }
  const rows = positions.map((position) => ({ position, id: '' }))
  expect(rows.toSorted(byPosition)).toEqual(rows)
  expect(new Set(positions).size).toBe(600)
  const [one, other] = [
    { position: 'a0', id: '1' },
    { position: 'a0', id: '2' },
  ] as const
  expect([other, one].toSorted(byPosition)).toEqual([one, other])
  let last = 'a0'
  for (let step = 0; step < 5000; step += 1) last = positionBetween(last, undefined)
  expect(last.length).toBeLessThan(6)
})

test('listening: queue changes apply at once; removals stay until confirmed', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt, tide)
  expect(await queued(owner)).toEqual(['tide', 'salt'])
  await expect(send(owner, () => Promise.reject(new NetProblem('offline', 0)))).rejects.toThrow()
  expect(await countListsWaiting(owner)).toBe(2)

  const sent: unknown[] = []
  await send(owner, async ({ id }, stamp) => {
    sent.push([id, stamp.removed])
    return fromServer(id === salt.id ? salt : tide)
  })
  expect(sent).toEqual([
    [salt.id, false],
    [tide.id, false],
  ])
  expect(await countListsWaiting(owner)).toBe(0)

  await put(owner, { ...tide, removed: true })
  // This answer is older than the removal, which must not be undone.
  await followLists(owner, async () => [fromServer(salt), fromServer(tide)])
  expect(await queued(owner)).toEqual(['salt'])
  await send(owner, async () => fromServer(tide, { removed: true }))
  expect([await queued(owner), await countListsWaiting(owner)]).toEqual([['salt'], 0])
})

test('listening: another device’s queue changes are applied, also to a row changed here', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt)
  await send(owner, async () => fromServer(salt, { position: 'a7' }))
  await followLists(owner, async () => [
    fromServer(tide, { position: 'a8' }),
    fromServer(salt, { position: 'a9' }),
  ])
  expect(await queued(owner)).toEqual(['tide', 'salt'])
  await followLists(owner, async () => [fromServer(salt, { eventId: 'on the tablet' })])
  expect(await queued(owner)).toEqual(['salt'])
  // With the change that the server names, and no longer with this device's own.
  expect(await placesDb.use(owner, (db) => db.listRows.get(salt.id))).toMatchObject({
    eventId: 'on the tablet',
  })
})

test('listening: a repeatedly refused row is no longer sent, and goes with the next fetch', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt)
  for (const left of [1, 1, 0]) {
    await send(owner, () => Promise.reject(new NetProblem('refused', 404)))
    expect(await countListsWaiting(owner)).toBe(left)
  }
  await followLists(owner, async () => [])
  expect(await queued(owner)).toEqual([])
})

test('listening: a queue change made during a request is not lost and waits', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt, tide)
  await send(owner, async ({ id }) => {
    // Moved behind the other row before the answer arrived.
    if (id === tide.id) await put(owner, { ...tide, position: 'a5' })
    return fromServer(id === salt.id ? salt : tide)
  })
  expect([await queued(owner), await countListsWaiting(owner)]).toEqual([['salt', 'tide'], 1])
  await send(owner, () => Promise.reject(new NetProblem('refused', 422)))
  await send(owner, async () => {
    await put(owner, { ...tide, position: 'a6' })
    throw new NetProblem('refused', 422)
  })
  // The new change starts with no refusals.
  expect((await placesDb.use(owner, (db) => db.listRows.get(tide.id)))?.tries).toBe(0)
  await send(owner, async () => fromServer(tide, { position: 'a6' }))
  await followLists(owner, async () => {
    await put(owner, { ...salt, position: 'a9' })
    // Removed on another device: the server decides which of both is newer.
    return [fromServer(tide, { position: 'a6' })]
  })
  expect([await queued(owner), await countListsWaiting(owner)]).toEqual([['tide', 'salt'], 1])
})

test('listening: a queue is retried, with its age, until a failing server accepts it', async () => {
  const owner = crypto.randomUUID()
  const then = readClock()
  await changeLists(owner, 'queue', () => [salt], then)
  for (const times of [1, 2, 3, 4]) {
    expect(await send(owner, () => Promise.reject(new NetProblem('server', 500)))).toBe('waiting')
    expect([times, await countListsWaiting(owner)]).toEqual([times, 1])
  }
  for (const status of [401, 408, 425, 429])
    await expect(send(owner, () => Promise.reject(new NetProblem('refused', status)))).rejects.toThrow()
  const ages: unknown[] = []
  const lists: ListCalls = {
    put: async (_row, { agoSeconds }) => (ages.push(agoSeconds), fromServer(salt)),
  }
  const now = { ...then, pageMs: then.pageMs + 90_000, wallMs: then.wallMs + 90_000 }
  expect(await sendLists(owner, { lists, readClock: () => now, serverOffset: async () => 0 })).toBe('empty')
  expect(ages).toEqual([90])
})

test('listening: shelves and titles, e-books too, keep their types in requests and answers', async () => {
  const owner = crypto.randomUUID()
  const shelf = { id: crypto.randomUUID(), kind: 'shelf', position: 'a0', name: 'Winter' } as const
  const onIt = { kind: 'shelfTitle', position: 'a0', shelf: shelf.id } as const
  const heard = { ...onIt, id: crypto.randomUUID(), key: titleKey('audio', 'salt') }
  const read = { ...onIt, id: crypto.randomUUID(), position: 'a1', key: titleKey('ebook', 'salt') }
  await changeLists(owner, 'shelf', () => [shelf])
  await changeLists(owner, 'shelfTitle', () => [heard, read])
  await put(owner, salt)
  const sent: unknown[] = []
  const rows: (QueuedTitle | Shelf | ShelfTitle)[] = []
  configureNet({
    tokens: { ...settings.tokens, read: async () => ({ token: tokenOf(owner), refreshToken: undefined }) },
    async exchange({ path, json }) {
      const [, , kind = '', id = ''] = path.split('/')
      const { name, title, audioBook, position, changedAt } = json as Record<string, string>
      sent.push([kind, name ?? title ?? audioBook])
      const type = {
        user_queue: 'UserQueue',
        user_shelves: 'UserShelf',
        user_shelf_titles: 'UserShelfTitle',
      }[kind]
      const row = { '@id': '', '@type': type, id, position, changedAt, ...{ eventId: null, deviceId: null } }
      rows.push({ ...row, removed: false, ...(json as object) } as never)
      return rows.at(-1)
    },
  })
  await sendLists(owner, { lists: listCalls(owner), readClock, serverOffset: async () => 0 })
  expect(sent).toEqual([
    ['user_shelves', 'Winter'],
    ['user_shelf_titles', '/api/audio_books/salt'],
    ['user_shelf_titles', '/api/e_books/salt'],
    ['user_queue', '/api/audio_books/salt'],
  ])
  const tablet = crypto.randomUUID()
  await followLists(tablet, async () => rows)
  const there = await placesDb.use(tablet, async (db) => [
    ...(await rowsOf(db, 'shelf')),
    ...(await rowsOf(db, 'shelfTitle')),
  ])
  expect(there).toMatchObject([shelf, heard, read])
})

test('listening: lists are sent with keepalive, and without redirecting to the log-in', async () => {
  const owner = crypto.randomUUID()
  const asked: Exchange[] = []
  configureNet({
    exchange: async (request) => {
      asked.push(request)
      throw new NetProblem('refused', 401)
    },
  })
  await expect(listCalls(owner).put({ ...salt, id: 'row' } as never, {} as never)).rejects.toThrow(NetProblem)
  await expect(followLists(owner)).rejects.toThrow(NetProblem)
  expect(asked[0]).toMatchObject({ as: owner, keepalive: true, background: true })
  expect(asked.slice(1).map(({ path, background }) => [path, background])).toEqual([
    ['/api/user_queue', true],
    ['/api/user_shelves', true],
    ['/api/user_shelf_titles', true],
  ])
})
