import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { QueuedTitle } from '#contract/lists.ts'
import { NetProblem } from '#net/problem.ts'
import { readClock } from './clock.ts'
import {
  changeLists,
  countListsWaiting,
  followLists,
  type ListCalls,
  rowsOf,
  sendLists,
  type WantedRow,
} from './lists.ts'
import { placesDb } from './places-db.ts'
import { byPosition, positionBetween } from './position.ts'
import { titleKey } from './title-key.ts'

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

test('listening: a position lies between its neighbours, wherever rows are put, and stays short', () => {
  expect([positionBetween(undefined, undefined), positionBetween('a0', undefined)]).toEqual(['a0', 'a1'])
  expect([positionBetween(undefined, 'a0'), positionBetween('a0', 'a1')]).toEqual(['Zz', 'a0V'])
  // Every row that is put, at places that seem by chance and are the same every time.
  const positions: string[] = []
  for (let step = 0; step < 600; step += 1) {
    const at = (step * 7919) % (positions.length + 1)
    positions.splice(at, 0, positionBetween(positions[at - 1], positions[at]))
  }
  const rows = positions.map((position) => ({ position, id: '' }))
  expect(rows.toSorted(byPosition)).toEqual(rows)
  expect(new Set(positions).size).toBe(600)
  let last = 'a0'
  for (let step = 0; step < 5000; step += 1) last = positionBetween(last, undefined)
  expect(last.length).toBeLessThan(6)
})

test('listening: the queue holds here at once and is sent when somebody answers; a removal stays until the server knows', async () => {
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
  // Asked before the removal was sent: it is not brought back.
  await followLists(owner, async () => [fromServer(salt), fromServer(tide)])
  expect(await queued(owner)).toEqual(['salt'])
  await send(owner, async () => fromServer(tide, { removed: true }))
  expect([await queued(owner), await countListsWaiting(owner)]).toEqual([['salt'], 0])
})

test('listening: what another device made of the queue is taken over, and its newer change of a row too', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt)
  await send(owner, async () => fromServer(salt, { position: 'a7' }))
  await followLists(owner, async () => [
    fromServer(tide, { position: 'a8' }),
    fromServer(salt, { position: 'a9' }),
  ])
  expect(await queued(owner)).toEqual(['tide', 'salt'])
  await followLists(owner, async () => [fromServer(salt)])
  expect(await queued(owner)).toEqual(['salt'])
})

test('listening: a row that the server refuses again and again is no longer sent, and goes when the lists are asked for', async () => {
  const owner = crypto.randomUUID()
  await put(owner, salt)
  for (const left of [1, 1, 0]) {
    await send(owner, () => Promise.reject(new NetProblem('refused', 404)))
    expect(await countListsWaiting(owner)).toBe(left)
  }
  await followLists(owner, async () => [])
  expect(await queued(owner)).toEqual([])
})
