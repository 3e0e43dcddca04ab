import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookTimes, chapterTimes, placeHistory, soundClaims } from '#server/db/schema/listening.ts'
import { bookmarks } from '#server/db/schema/notes.ts'
import { anAudioBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { selectChapters, writeChapters } from './chapters-queries.ts'
import { type Chapter, chapterMoves } from './chapters.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const HEARD = new Date('2026-03-01T20:00:00.000Z')

/** A listener in each of three chapters, in chapter 3 last, with a bookmark there. */
async function aListener() {
  const user = await aUser(shop)
  const book = await anAudioBook(shop)
  await inLibrary(shop, user, book)
  const of = { userId: user.id, bookId: book.id }
  const place = { ...of, chapter: 3, seconds: 700, heardAt: HEARD, eventId: randomUUID() }
  await shop.db.insert(bookTimes).values({ ...place, fromSeconds: 650 })
  for (const chapter of [1, 2, 3])
    await shop.db.insert(chapterTimes).values({ ...place, chapter, seconds: chapter * 100 })
  await shop.db.insert(placeHistory).values({ ...place, chapter: 1, seconds: 30 })
  await shop.db.insert(soundClaims).values({
    userId: user.id,
    claimId: randomUUID(),
    deviceId: randomUUID(),
    slug: book.slug,
    chapter: 3,
    seconds: 700,
    startedAt: HEARD,
  })
  await shop.db.insert(bookmarks).values({
    ...of,
    id: randomUUID(),
    chapter: 3,
    seconds: 690,
    madeAt: HEARD,
    changedAt: HEARD,
    note: 'the harbour',
  })
  const standing = await selectChapters(shop.db, book.id)
  const write = (list: readonly Chapter[]) => shop.db.transaction((tx) => writeChapters(tx, book.id, list))
  const placesNow = async () => ({
    book: (await shop.db.select().from(bookTimes).where(eq(bookTimes.bookId, book.id)))[0]!,
    chapters: (
      await shop.db
        .select()
        .from(chapterTimes)
        .where(eq(chapterTimes.bookId, book.id))
        .orderBy(asc(chapterTimes.chapter))
    ).map(({ chapter, seconds }) => [chapter, seconds]),
    history: (await shop.db.select().from(placeHistory).where(eq(placeHistory.bookId, book.id))).map(
      ({ chapter, seconds }) => [chapter, seconds],
    ),
    bookmark: (await shop.db.select().from(bookmarks).where(eq(bookmarks.bookId, book.id)))[0]!,
    claim: (await shop.db.select().from(soundClaims).where(eq(soundClaims.slug, book.slug)))[0]!,
  })
  /** Sends a place from a device that does not know the owner's changes yet. */
  const sendLate = async (event: { chapter: number; seconds: number; sound?: string }) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/user_chapter_times',
      headers: await signedIn(shop, user),
      payload: {
        audioBook: `/api/audio_books/${book.slug}`,
        eventId: randomUUID(),
        deviceId: randomUUID(),
        basedOn: place.eventId,
        ...event,
      },
    })
  return { place, standing, write, placesNow, sendLate }
}

test('OFFICE-71: a listener in chapter 3 stays at the same second of the same sound when chapters move, with their bookmarks and history', async () => {
  const { standing, write, placesNow, place } = await aListener()
  const [one, two, three] = standing
  await write([three!, one!, two!])
  const after = await placesNow()
  expect(after.book).toMatchObject({ chapter: 1, seconds: 700, fromSeconds: 650, deviceId: null })
  expect(after.book.eventId).not.toBe(place.eventId)
  expect(after.book.heardAt.getTime()).toBe(HEARD.getTime() + 1)
  expect(after.chapters).toEqual([
    [1, 300],
    [2, 100],
    [3, 200],
  ])
  expect(after.history).toEqual([[2, 30]])
  expect(after.bookmark).toMatchObject({ chapter: 1, seconds: 690, note: 'the harbour' })
  expect(after.claim).toMatchObject({ chapter: 1, seconds: 700 })
  await write([one!, two!, three!])
  expect((await placesNow()).book).toMatchObject({ chapter: 3, seconds: 700 })
})

test('OFFICE-71: a place in a chapter that is gone moves to the start of the next one, and one beyond the end of a shorter sound to its end', async () => {
  const { standing, write, placesNow } = await aListener()
  const [one, two, three] = standing
  await write([two!, three!])
  const without = await placesNow()
  expect(without.book).toMatchObject({ chapter: 2, seconds: 700 })
  expect(without.chapters).toEqual([
    [1, 200],
    [2, 300],
  ])
  expect(without.history).toEqual([[1, 0]])
  await write([two!, { ...three!, soundId: one!.soundId, durationMs: 600_000 }])
  expect((await placesNow()).book).toMatchObject({ chapter: 2, seconds: 600 })
  await write([two!])
  const last = await placesNow()
  expect(last.book).toMatchObject({ chapter: 1, seconds: 0, fromSeconds: null })
  expect(last.history).toContainEqual([2, 600])
})

test('OFFICE-71: another name for a chapter leaves all places and their events as they are', async () => {
  const { standing, write, placesNow } = await aListener()
  const before = await placesNow()
  await write(standing.map((chapter) => ({ ...chapter, title: `New ${chapter.title}` })))
  expect(await placesNow()).toEqual(before)
})

test('OFFICE-71: a device that was offline while chapters moved is asked which place is right, and overwrites none', async () => {
  const { sendLate, standing, write } = await aListener()
  const [one, two, three] = standing
  await write([three!, two!, one!])
  const answer = await sendLate({ chapter: 3, seconds: 20 })
  expect(answer.json().audioBookTime.otherPlace).toMatchObject({ chapter: 1, seconds: 700 })
})

test('OFFICE-71: a place that such a device sends with the file that was heard is in the chapter that has the file now', async () => {
  const { sendLate, standing, write, placesNow } = await aListener()
  const [one, two, three] = standing
  await write([three!, two!, one!])
  const answer = await sendLate({ chapter: 3, seconds: 720, sound: three!.soundId })
  expect(answer.json()).toMatchObject({ chapter: 1, audioBookTime: { otherPlace: null } })
  expect((await placesNow()).book).toMatchObject({ chapter: 1, seconds: 720 })
  expect((await sendLate({ chapter: 2, seconds: 5, sound: 'f'.repeat(64) })).json().chapter).toBe(2)
})

test('OFFICE-71: a chapter is found again by its sound, then by its name, then by its place', () => {
  const chapter = (title: string, soundId: string): Chapter => ({ title, soundId, durationMs: 1 })
  const [a, b, c] = [chapter('A', '1'), chapter('B', '2'), chapter('C', '3')] as const
  const moves = (after: readonly Chapter[]) => [...chapterMoves([a, b, c], after)]
  expect(moves([c, a, b])).toEqual([
    [1, 2],
    [2, 3],
    [3, 1],
  ])
  expect(moves([a, c])).toEqual([
    [1, 1],
    [2, null],
    [3, 2],
  ])
  expect(moves([chapter('C', '9'), chapter('B', '8'), chapter('New', '7')])).toEqual([
    [1, null],
    [2, 2],
    [3, 1],
  ])
})
