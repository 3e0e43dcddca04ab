import { describe, expect, it } from 'vitest'
import { bookSeconds, chapterAfter, chapterBefore, jumpFrom, secondsIntoBook } from './model.ts'

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
  it('counts its length and the way to a place', () => {
    expect(bookSeconds(chapters)).toBe(60)
    expect(secondsIntoBook(chapters, { chapter: 4, seconds: 5 })).toBe(35)
  })

  it('knows the neighbours of a chapter by place, not by number', () => {
    expect(chapterAfter(chapters, 2)?.number).toBe(4)
    expect(chapterBefore(chapters, 4)?.number).toBe(2)
    expect(chapterBefore(chapters, 1)).toBeUndefined()
    expect(chapterAfter(chapters, 4)).toBeUndefined()
  })
})
