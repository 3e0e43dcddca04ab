import { beforeEach, expect, test } from 'vitest'
import { Caches } from '#server/caches.ts'
import type { Shop } from '#server/shop.ts'
import { chapterOffsetsOf } from './service.ts'

const answers = { generation: 1 }
/** The number of queries, and the chapter's current length in the catalogue. */
let asked: number
let durationMs: number
let meanwhile: () => void
beforeEach(() => {
  asked = 0
  durationMs = 60_000
  meanwhile = () => undefined
})

const row = () => ({
  ...{ bookId: 1, slug: 'salt-road-letters' },
  chapter: { number: 1, durationMs, sound: 'sound' },
})
const select = () => ({
  from: () => ({
    leftJoin: () => ({
      where: () => {
        asked += 1
        const rows = [row()]
        meanwhile()
        return Promise.resolve(rows)
      },
    }),
  }),
})
function timelines() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  const shop = { db: { select }, caches: new Caches(answers) } as unknown as Shop
  return (slug: string) => chapterOffsetsOf(shop, slug)
}
const lengthIn = async (timelineOf: ReturnType<typeof timelines>) =>
  (await timelineOf('salt-road-letters'))?.chapters.get(1)?.seconds

test('queries a book’s chapters once until the catalogue changes', async () => {
  const timelineOf = timelines()
  expect([await lengthIn(timelineOf), await lengthIn(timelineOf), asked]).toEqual([60, 60, 1])
  durationMs = 90_000
  answers.generation += 1
  expect([await lengthIn(timelineOf), await lengthIn(timelineOf), asked]).toEqual([90, 90, 2])
})

test('does not cache chapters that were read while the catalogue changed', async () => {
  const timelineOf = timelines()
  meanwhile = () => {
    durationMs = 90_000
    answers.generation += 1
    meanwhile = () => undefined
    // Another request sees the change first.
    void timelineOf('another-book')
  }
  expect([await lengthIn(timelineOf), await lengthIn(timelineOf)]).toEqual([60, 90])
})

test('queries a slug without an audiobook every time, so that a new title is found immediately', async () => {
  const timelineOf = timelines()
  expect(await timelineOf('not-yet')).toBeNull()
  expect(await timelineOf('not-yet')).toBeNull()
  expect(asked).toBe(2)
})
