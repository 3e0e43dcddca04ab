import { expect, test } from 'vitest'
import { chapterNow, stepSeconds, timelineOf } from './place-order.ts'

const timeline = timelineOf({ bookId: 1, slug: 'salt-road-letters' }, [
  { number: 3, seconds: 40 },
  { number: 1, seconds: 60 },
  { number: 2, seconds: 30 },
])

test('chapters follow each other by number, in any order of input', () => {
  expect([...timeline.chapters]).toEqual([
    [1, { startsAtSeconds: 0, seconds: 60 }],
    [2, { startsAtSeconds: 60, seconds: 30 }],
    [3, { startsAtSeconds: 90, seconds: 40 }],
  ])
})

test('a step across chapters is in seconds of the book, backward as well as forward', () => {
  expect(stepSeconds(timeline, { chapter: 1, seconds: 50 }, { chapter: 3, seconds: 5 })).toBe(45)
  expect(stepSeconds(timeline, { chapter: 3, seconds: 5 }, { chapter: 1, seconds: 50 })).toBe(-45)
  expect(stepSeconds(timeline, { chapter: 2, seconds: 9 }, { chapter: 2, seconds: 4 })).toBe(-5)
  expect(stepSeconds(timeline, { chapter: 1, seconds: 0 }, { chapter: 4, seconds: 0 })).toBe(Infinity)
})

test('a place belongs to the chapter that has its sound now, or to its number if none has', () => {
  const sounds = ['theme', 'tide', 'theme'].map((sound, index) => ({ number: index + 1, seconds: 60, sound }))
  const now = timelineOf({ bookId: 1, slug: 'salt-road-letters' }, sounds)
  expect(chapterNow(now, { chapter: 1, sound: 'tide' })).toBe(2)
  expect(chapterNow(now, { chapter: 3, sound: 'theme' })).toBe(3)
  expect(chapterNow(now, { chapter: 3, sound: 'removed' })).toBe(3)
  expect(chapterNow(now, { chapter: 2 })).toBe(2)
})
