import { expect, test } from 'vitest'
import { stepSeconds, timelineOf } from './place-order.ts'

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
