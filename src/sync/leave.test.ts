import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { readClock } from '#storage/clock.ts'
import { placesDb } from '#storage/places-db.ts'
import { readRemovals, requestRemoval, writeRemovals } from '#storage/removals.ts'
import { titleKey } from '#storage/title-key.ts'
import { writeValue } from '#storage/values.ts'
import { finishRemovals, removeConfirmed } from './leave.ts'
import { keepPlace } from './outbox.ts'
import { chooseSpeed } from './speeds.ts'

const listRow = (id: string, waiting: 0 | 1) => ({
  ...{ id, kind: 'queue' as const, position: 'a0', key: titleKey('audio', id), removed: 0 as const },
  ...{ changedAtMs: 1, eventId: id, sequence: 1, waiting, clock: readClock(), offsetMs: null, tries: 0 },
})

test('PLAY-29: leaving removes what the server has, and keeps only what it doesn’t have yet', async () => {
  const owner = crypto.randomUUID()
  await keepPlace(owner, { slug: 'unsent', chapter: 1, seconds: 10, fromSeconds: 0 })
  await chooseSpeed(owner, 'unsent', 1.5)
  await placesDb.use(owner, async (db) => {
    const speed = (await db.speeds.get('unsent'))!
    await db.speeds.put({ ...speed, slug: 'sent', waiting: 0 })
    await db.listRows.bulkPut([listRow('unsent', 1), listRow('sent', 0)] as never[])
    await db.ownTitles.put({ key: titleKey('audio', 'own') } as never)
    const place = (await db.places.get('unsent'))!
    await db.places.put({ ...place, slug: 'sent' })
    await db.settings.bulkPut(['clockOffset', 'titlesWhole'].map((name) => ({ name, value: 1 })))
    await db.chapters.bulkPut(['unsent', 'sent'].map((slug) => ({ slug, chapter: 1 })) as never[])
  })
  expect(await removeConfirmed(owner)).toBe(false)
  await placesDb.use(owner, async (db) => {
    expect((await db.speeds.toArray()).map(({ slug }) => slug)).toEqual(['unsent'])
    expect((await db.listRows.toArray()).map(({ id }) => id)).toEqual(['unsent'])
    expect((await db.places.toArray()).map(({ slug }) => slug)).toEqual(['unsent'])
    expect((await db.chapters.toArray()).map(({ slug }) => slug)).toEqual(['unsent'])
    expect(await db.ownTitles.count()).toBe(0)
    // The device's sequence numbers continue, and it still knows the server's clock.
    expect((await db.settings.toArray()).map(({ name }) => name)).toEqual(['clockOffset', 'sequence'])
  })
})

test('PLAY-29: leaving says that everything is removed if nothing was waiting', async () => {
  const owner = crypto.randomUUID()
  await placesDb.use(owner, (db) => db.ownTitles.put({ key: titleKey('audio', 'own') } as never))
  expect(await removeConfirmed(owner)).toBe(true)
  expect(await placesDb.use(owner, (db) => db.ownTitles.count())).toBe(0)
})

test('an account’s removal is repeated until a page starts, and never touches who is logged in', async () => {
  const [gone, here] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const owner of [gone, here])
    await placesDb.use(owner, (db) => db.ownTitles.put({ key: titleKey('audio', 'own') } as never))
  await writeValue('rememberedUser', { uuid: here } as never)
  await requestRemoval(gone)
  await requestRemoval(here)
  await finishRemovals()
  expect(await readRemovals()).toEqual([gone, here])
  expect(
    (await indexedDB.databases()).map(({ name }) => name).filter((name) => name?.includes(gone)),
  ).toEqual([])
  expect(await placesDb.use(here, (db) => db.ownTitles.count())).toBe(1)
  await finishRemovals({ isStart: true })
  expect(await readRemovals()).toEqual([])
  await writeRemovals([])
})
