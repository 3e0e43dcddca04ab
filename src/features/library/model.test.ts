import { expect, test } from 'vitest'
import { progressOf, readingOf } from './model.ts'

test('a place is reckoned over the chapters before it', () => {
  expect(progressOf([100, 100, 200], { chapter: 3, seconds: 100 })).toEqual({
    share: 0.75,
    secondsLeft: 100,
    finished: false,
  })
})

test('a book is finished within the last seconds of its last chapter, and not before', () => {
  expect(progressOf([100, 100], { chapter: 2, seconds: 95 })?.finished).toBe(true)
  expect(progressOf([100, 100], { chapter: 2, seconds: 94 })?.finished).toBe(false)
  expect(progressOf([100, 100], { chapter: 2, seconds: 900 })?.share).toBe(1)
})

test('nothing heard, or no sound, is no progress', () => {
  expect(progressOf([100], undefined)).toBeUndefined()
  expect(progressOf([], { chapter: 1, seconds: 5 })).toBeUndefined()
})

test('an e-book says how much of it was read, and that it was finished', () => {
  expect(readingOf(undefined)).toBeUndefined()
  expect(readingOf(0.344)).toMatchObject({ words: '34% read', finished: false })
  expect(readingOf(0.995)).toMatchObject({ words: 'Finished', finished: true })
})
