import { describe, expect, it } from 'vitest'
import { resumeFrom } from './model.ts'

const chapters = [
  { number: 1, title: 'One', seconds: 300, bytes: 1 },
  { number: 2, title: 'Two', seconds: 100, bytes: 1 },
]

describe('resuming', () => {
  it('PLAY-06: goes on 5 s before the saved second of the saved chapter', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 50 })).toEqual({ chapter: 2, seconds: 45 })
  })

  it('PLAY-06: never below 0, and never back into the chapter before', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 3 })).toEqual({ chapter: 2, seconds: 0 })
  })

  it('PLAY-06: never before the stretch of listening began, so opening again and again goes nowhere', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 52, fromSeconds: 50 })?.seconds).toBe(50)
    expect(resumeFrom(chapters, { chapter: 2, seconds: 58, fromSeconds: 50 })?.seconds).toBe(53)
    // It came over from the chapter before.
    expect(resumeFrom(chapters, { chapter: 2, seconds: 2, fromSeconds: 0 })?.seconds).toBe(0)
  })

  it('begins at the first chapter when nothing was heard', () => {
    expect(resumeFrom(chapters, undefined)).toEqual({ chapter: 1, seconds: 0 })
  })

  it('what was heard to its end stands there: its last 5 seconds are no place to go on from', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 99 })).toEqual({ chapter: 2, seconds: 99 })
    expect(resumeFrom(chapters, { chapter: 1, seconds: 299 })).toEqual({ chapter: 1, seconds: 294 })
  })

  it('survives a place that the book no longer has', () => {
    expect(resumeFrom(chapters, { chapter: 9, seconds: 50 })).toEqual({ chapter: 1, seconds: 0 })
    expect(resumeFrom(chapters, { chapter: 2, seconds: 900 })).toEqual({ chapter: 2, seconds: 100 })
    expect(resumeFrom([], { chapter: 2, seconds: 9 })).toBeUndefined()
  })
})
