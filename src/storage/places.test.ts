import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { listPastPlaces, rememberPast, keepPlace } from '#sync/outbox.ts'
import { placesDb } from './places-db.ts'
import { listBookmarks, putBookmark } from '#sync/marks.ts'
import { listPlaces } from './places.ts'

let owner: string
beforeEach(() => {
  owner = crypto.randomUUID()
})

test('the most recent book comes first', async () => {
  const hear = (slug: string, wallMs: number) =>
    keepPlace(owner, { slug, chapter: 1, seconds: 5, clock: { wallMs, pageMs: wallMs, page: 'p' } })
  await hear('ferry', 2_000)
  await hear('salt', 3_000)
  await hear('winters', 1_000)
  expect((await listPlaces(owner)).map(({ slug }) => slug)).toEqual(['salt', 'ferry', 'winters'])
})

test('bookmarks are sorted by their place in the book', async () => {
  const marks = [
    [2, 5],
    [1, 30],
    [10, 1],
    [1, 4],
    [1, 12],
  ] as const
  for (const [chapter, seconds] of marks)
    await putBookmark(owner, {
      id: crypto.randomUUID(),
      slug: 'salt',
      chapter,
      seconds,
      note: '',
      madeAtMs: 0,
    })
  expect((await listBookmarks(owner, 'salt')).map(({ chapter, seconds }) => [chapter, seconds])).toEqual([
    [1, 4],
    [1, 12],
    [1, 30],
    [2, 5],
    [10, 1],
  ])
})

test('fifty positions of a book are stored, and the oldest are dropped', async () => {
  await placesDb.use(owner, async (db) => {
    const place = { chapter: 1, heardAt: '2026-03-01T08:00:00.000Z', eventId: null, deviceId: null }
    for (let seconds = 1; seconds <= 52; seconds += 1) await rememberPast(db, 'salt', { ...place, seconds })
    await rememberPast(db, 'ferry', { ...place, seconds: 1 })
  })
  const past = (await listPastPlaces(owner, 'salt')).map(({ seconds }) => seconds)
  expect([past.length, past[0], past.at(-1)]).toEqual([50, 52, 3])
  expect(await listPastPlaces(owner, 'ferry')).toHaveLength(1)
})
