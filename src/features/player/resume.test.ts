import { describe, expect, it } from 'vitest'
import { resumeFrom } from './resume.ts'

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

  it('begins at the first chapter when nothing was heard', () => {
    expect(resumeFrom(chapters, undefined)).toEqual({ chapter: 1, seconds: 0 })
  })

  it('survives a place that the book no longer has', () => {
    expect(resumeFrom(chapters, { chapter: 9, seconds: 50 })).toEqual({ chapter: 1, seconds: 0 })
    expect(resumeFrom(chapters, { chapter: 2, seconds: 900 })).toEqual({ chapter: 2, seconds: 95 })
    expect(resumeFrom([], { chapter: 2, seconds: 9 })).toBeUndefined()
  })
})
