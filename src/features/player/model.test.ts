import { describe, expect, it } from 'vitest'
import { isHeardToTheEnd } from '#contract/finished.ts'
import { aPlayable } from '#tests/support/playable-title.ts'
import {
  bookSeconds,
  chapterAfter,
  chapterAt,
  chapterBefore,
  clampPlace,
  isHeardToItsEnd,
  jumpFrom,
  placeAt,
  sameTitle,
  secondsIntoBook,
} from './model.ts'

const chapters = [
  { number: 1, title: 'One', seconds: 20, bytes: 1 },
  { number: 2, title: 'Two', seconds: 10, bytes: 1 },
  { number: 4, title: 'Four', seconds: 30, bytes: 1 },
]

describe('jumping', () => {
  it('PLAY-02: moves within a chapter', () => {
    expect(jumpFrom(chapters, { chapter: 4, seconds: 5 }, 15)).toEqual({ chapter: 4, seconds: 20 })
    expect(jumpFrom(chapters, { chapter: 4, seconds: 20 }, -15)).toEqual({ chapter: 4, seconds: 5 })
  })

  it('PLAY-02: crosses chapter borders, also over a whole short chapter', () => {
    expect(jumpFrom(chapters, { chapter: 1, seconds: 18 }, 15)).toEqual({ chapter: 4, seconds: 3 })
    expect(jumpFrom(chapters, { chapter: 4, seconds: 3 }, -15)).toEqual({ chapter: 1, seconds: 18 })
  })

  it('PLAY-02: never before 0 nor past the end of the book', () => {
    expect(jumpFrom(chapters, { chapter: 1, seconds: 4 }, -15)).toEqual({ chapter: 1, seconds: 0 })
    expect(jumpFrom(chapters, { chapter: 4, seconds: 28 }, 15)).toEqual({ chapter: 4, seconds: 30 })
  })
})

describe('a book', () => {
  it('has a length, and the seconds before a place', () => {
    expect(bookSeconds(chapters)).toBe(60)
    expect(secondsIntoBook(chapters, { chapter: 4, seconds: 5 })).toBe(35)
  })

  it('finds the neighbours of a chapter by order, not by number', () => {
    expect(chapterAfter(chapters, 2)?.number).toBe(4)
    expect(chapterBefore(chapters, 4)?.number).toBe(2)
    expect(chapterBefore(chapters, 1)).toBeUndefined()
    expect(chapterAfter(chapters, 4)).toBeUndefined()
  })
})

describe('a place', () => {
  it('at a border is the beginning of the next chapter', () => {
    expect(placeAt(chapters, 20)).toEqual({ chapter: 2, seconds: 0 })
    expect(placeAt(chapters, 19.9)).toEqual({ chapter: 1, seconds: 19.9 })
  })

  it.each([
    ['within its chapter', { chapter: 2, seconds: 4 }, { chapter: 2, seconds: 4 }],
    ['past its chapter’s end', { chapter: 2, seconds: 40 }, { chapter: 2, seconds: 10 }],
    ['before its beginning', { chapter: 2, seconds: -4 }, { chapter: 2, seconds: 0 }],
    ['that is no number', { chapter: 2, seconds: Number.NaN }, { chapter: 2, seconds: 0 }],
    ['in a chapter that is not there', { chapter: 3, seconds: 4 }, { chapter: 1, seconds: 0 }],
  ])('%s', (_where, wish, exists) => {
    expect(clampPlace(chapters, wish)).toEqual(exists)
    expect(clampPlace([], wish)).toBeUndefined()
  })

  it.each([
    ['five seconds before the end', 4, 25, true],
    ['earlier', 4, 24.9, false],
    ['in an earlier chapter', 2, 25, false],
  ])('%s a book is finished or not, on the shelf as in the player', (_where, chapter, seconds, end) => {
    expect(isHeardToTheEnd(chapters, { chapter, seconds })).toBe(end)
  })

  it('is not the end if the length of the chapter is unknown', () => {
    expect(isHeardToTheEnd([{ ...chapters[0]!, seconds: 0 }], { chapter: 1, seconds: 0 })).toBe(false)
    expect(isHeardToTheEnd([], { chapter: 1, seconds: 0 })).toBe(false)
  })
})

it('titles with the same slug and kind are equal', () => {
  const book = { slug: 'salt', kind: 'book' } as const
  expect(sameTitle(book, { ...book })).toBe(true)
  expect(sameTitle(book, { ...book, kind: 'sample' })).toBe(false)
  expect(sameTitle(book, { ...book, slug: 'ferry' })).toBe(false)
  expect(chapterAt(chapters, 4)?.title).toBe('Four')
})

it('only a book is finished when it was heard to its end', () => {
  const end = { chapter: 4, seconds: 30 }
  expect(isHeardToItsEnd(aPlayable({ chapters }), end)).toBe(true)
  expect(isHeardToItsEnd(aPlayable({ chapters }), { chapter: 1, seconds: 1 })).toBe(false)
  expect(isHeardToItsEnd(aPlayable({ chapters, kind: 'sample' }), end)).toBe(false)
})
