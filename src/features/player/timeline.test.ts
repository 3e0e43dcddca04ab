import { expect, test } from 'vitest'
import { aPlayable } from '#tests/support/playable-title.ts'
import { bookTimeline, chapterTimeline } from './position.ts'

/** Chapters of 60, 30 and 40 s. */
const { chapters } = aPlayable()
const position = { chapter: 2, seconds: 10, duration: 30, buffered: 20 }

test('the timeline of a chapter contains only its own places', () => {
  const line = chapterTimeline(position)
  expect(line).toMatchObject({ at: 10, length: 30, buffered: 20, borders: [] })
  expect(line.placeFor(25)).toEqual({ chapter: 2, seconds: 25 })
  expect(line.along({ chapter: 2, seconds: 5 })).toBe(5)
  expect(line.along({ chapter: 1, seconds: 5 })).toBeUndefined()
  expect(line.storedParts(new Set([1]))).toEqual([])
  expect(line.storedParts(new Set([2]))).toEqual([[0, 30]])
})

test('the timeline of the book converts places of all chapters in both directions', () => {
  const line = bookTimeline(chapters, position)
  expect(line).toMatchObject({ at: 70, length: 130, buffered: 80, borders: [60, 90] })
  expect(line.placeFor(100)).toEqual({ chapter: 3, seconds: 10 })
  expect(line.along({ chapter: 3, seconds: 10 })).toBe(100)
  expect(line.storedParts(new Set([1, 3]))).toEqual([
    [0, 60],
    [90, 130],
  ])
})
