// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { clock } from '#format/clock.ts'
import { writeFormatPair } from '#storage/format-pairs.ts'
import { placesDb } from '#storage/places-db.ts'
import { notePlacesKnown } from '#storage/places.ts'
import { followOwnTitles } from '#sync/own-titles.ts'
import { ownBook } from '#storage/own-title.ts'
import { putTitle } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { readValue } from '#storage/values.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { aPlayable } from '#tests/support/playable-title.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { soon } from '#tests/support/wait-for.ts'
import { followStarted } from './follow-started.ts'
import { forgetStarted, type StartedTitle } from './started.ts'

let stop = () => {}
afterEach(() => {
  stop()
  forgetStarted()
})

const owner = () => crypto.randomUUID()
const kept = () => JSON.parse(localStorage.getItem('started') ?? 'null')
const linesKept = (): string[] =>
  kept()?.titles.map(({ key, left, chapter, place }: StartedTitle) =>
    [key, left, chapter, place ? clock(place.seconds) : ''].join(', '),
  ) ?? []

const place = (slug: string, chapter: number, seconds: number, heardAtMs: number) => ({
  ...{ slug, chapter, seconds, heardAtMs },
  ...{ eventId: null, deviceId: null, basedOn: null },
})
const own = (slug: string, entityType: 'audioBook' | 'eBook' = 'audioBook') => ({
  key: titleKey(entityType === 'eBook' ? 'ebook' : 'audio', slug),
  addedAtMs: 1,
  book: ownBook(aTitle({ slug, title: slug, entityType: entityType as 'audioBook', pages: 300, series: [] })),
  chapterSeconds: entityType === 'eBook' ? [] : [3_600, 3_600],
})

test('the titles of this user are kept for index.html, until they log out', async () => {
  const nell = owner()
  await placesDb.use(nell, (db) => db.ownTitles.bulkPut([own('peat'), own('weather', 'eBook')]))
  stop = followStarted(nell, () => undefined)
  const owned = () => localStorage.getItem('owned')
  await soon(() => expect(owned()).toBe(' audio/peat ebook/weather '))
  await placesDb.use(nell, (db) => db.ownTitles.delete('audio/peat'))
  await soon(() => expect(owned()).toBe(' ebook/weather '))
  stop()
  expect(owned()).toBeNull()
})

test('HOME-18: what is started and not finished is kept, last heard or read first, with its place; it follows each change', async () => {
  const nell = owner()
  await putTitle(
    nell,
    aStoredTitle({
      key: 'audio/peat',
      page: {
        chapters: [{ chapterTitle: 'The weighing room', chapterOrderNumber: 2, playtime: 3_600 }],
      } as never,
    }),
  )
  await placesDb.use(nell, async (db) => {
    await db.ownTitles.bulkPut([
      own('peat'),
      own('skerry'),
      own('done'),
      { ...own('salt'), chapterTitles: ['The tide table', 'Oranges'] },
      own('untouched'),
      own('weather', 'eBook'),
    ])
    await db.places.bulkPut([
      place('skerry', 1, 600, 10),
      place('peat', 2, 250, 30),
      place('done', 2, 3_600, 40),
      // Heard, but returned since.
      place('returned', 1, 60, 50),
      place('untouched', 1, 0, 60),
    ])
    await db.readings.put({ slug: 'weather', locator: 'x', share: 0.6, readAtMs: 20 } as never)
  })
  // It was in this device's player.
  const { chapters } = aPlayable({ slug: 'skerry' })
  stop = followStarted(nell, (slug, chapter) =>
    slug === 'skerry' ? chapters.find(({ number }) => number === chapter)?.title : undefined,
  )
  await soon(() =>
    expect(linesKept()).toEqual([
      'audio/peat, 55 min left, 2. The weighing room, 4:10',
      'ebook/weather, About 120 pages left, , ',
      'audio/skerry, 1 h 50 m left, 1. The tide table, 10:00',
    ]),
  )
  expect(kept().owner).toBe(nell)
  expect(await readValue('started')).toBe(nell)

  await placesDb.use(nell, (db) => db.places.put(place('skerry', 2, 65, 70)))
  await soon(() => expect(linesKept()[0]).toBe('audio/skerry, 58 min left, 2. Two sets of books, 1:05'))

  // Heard on another device: the name comes with the library, unless it was fetched from an older server.
  await placesDb.use(nell, (db) => db.places.put(place('salt', 2, 65, 75)))
  await soon(() => expect(linesKept()[0]).toBe('audio/salt, 58 min left, 2. Oranges, 1:05'))
  await placesDb.use(nell, (db) => db.places.put(place('done', 1, 65, 80)))
  await soon(() => expect(linesKept()[0]).toBe('audio/done, 1 h 58 m left, Chapter 1 of 2, 1:05'))

  await placesDb.use(nell, (db) => db.ownTitles.clear())
  await soon(() => expect(kept()).toBeNull())
  await soon(async () => expect(await readValue('started')).toBeNull())
})

test('in step: of a title in both formats the one used last continues, and offers the other', async () => {
  const nell = owner()
  await placesDb.use(nell, async (db) => {
    await db.ownTitles.bulkPut([own('peat'), own('peat-text', 'eBook')])
    await db.places.put(place('peat', 1, 600, 10))
    await db.readings.put({ slug: 'peat-text', locator: 'x', share: 0.5, readAtMs: 20 } as never)
    await writeFormatPair(db, 'peat', 'peat-text')
  })
  stop = followStarted(nell, () => undefined)
  const offers = () => kept()?.titles.map(({ key, other }: StartedTitle) => [key, other])
  await soon(() => expect(offers()).toEqual([['ebook/peat-text', 'audio/peat']]))
  await placesDb.use(nell, (db) => db.places.put(place('peat', 1, 900, 30)))
  await soon(() => expect(offers()).toEqual([['audio/peat', 'ebook/peat-text']]))
  // Read to its end since: neither format is continued.
  await placesDb.use(nell, (db) =>
    db.readings.put({ slug: 'peat-text', locator: 'y', share: 1, readAtMs: 40 } as never),
  )
  await soon(() => expect(kept()).toBeNull())
})

test('what was started is complete once the account’s titles and places have been fetched, also if nothing was', async () => {
  const nell = owner()
  stop = followStarted(nell, () => undefined)
  await followOwnTitles(nell, async () => ({ 'hydra:totalItems': 0, 'hydra:member': [] }))
  expect(kept()).toBeNull()
  await notePlacesKnown(nell)
  await soon(() => expect(kept()).toEqual({ owner: nell, titles: [], isComplete: true }))
  expect(await readValue('started')).toBeNull()
})
