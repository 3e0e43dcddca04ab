import { expect, test } from 'vitest'
import { progressOf, readingOf } from './model.ts'

test('progress includes the chapters before the place', () => {
  expect(progressOf([100, 100, 200], { chapter: 3, seconds: 100 })).toEqual({
    share: 0.75,
    secondsLeft: 100,
    finished: false,
  })
})

test('a book is finished only in the last seconds of its last chapter', () => {
  expect(progressOf([100, 100], { chapter: 2, seconds: 95 })?.finished).toBe(true)
  expect(progressOf([100, 100], { chapter: 2, seconds: 94 })?.finished).toBe(false)
  expect(progressOf([100, 100], { chapter: 2, seconds: 900 })?.share).toBe(1)
})

test('there is no progress without a place or without audio', () => {
  expect(progressOf([100], undefined)).toBeUndefined()
  expect(progressOf([], { chapter: 1, seconds: 5 })).toBeUndefined()
})

test('an e-book shows how much was read, and whether it is finished', () => {
  expect(readingOf(undefined)).toBeUndefined()
  expect(readingOf(0.344)).toMatchObject({ words: '34% read', finished: false })
  expect(readingOf(0.995)).toMatchObject({ words: 'Finished', finished: true })
})
