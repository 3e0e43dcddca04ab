import { describe, expect, it } from 'vitest'
import { resumeFrom } from './resume.ts'

const chapters = [
  { number: 1, title: 'One', seconds: 300, bytes: 1 },
  { number: 2, title: 'Two', seconds: 100, bytes: 1 },
]

describe('resuming', () => {
  it('PLAY-06: resumes 5 s before the saved second of the saved chapter', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 50 })).toEqual({ chapter: 2, seconds: 45 })
  })

  it('PLAY-06: never below 0, and never back into the chapter before', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 3 })).toEqual({ chapter: 2, seconds: 0 })
  })

  it('PLAY-06: never before the listening session began, so repeated opening does not move it', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 52, fromSeconds: 50 })?.seconds).toBe(50)
    expect(resumeFrom(chapters, { chapter: 2, seconds: 58, fromSeconds: 50 })?.seconds).toBe(53)
    // The session began in the previous chapter.
    expect(resumeFrom(chapters, { chapter: 2, seconds: 2, fromSeconds: 0 })?.seconds).toBe(0)
  })

  it('follows a chapter that the shop’s owner moved', () => {
    const moved = [
      { ...chapters[1]!, number: 1, sound: 'two' },
      { ...chapters[0]!, number: 2, sound: 'one' },
    ]
    expect(resumeFrom(moved, { chapter: 2, seconds: 50, sound: 'two' })).toEqual({ chapter: 1, seconds: 45 })
    // Replaced: by its number.
    expect(resumeFrom(moved, { chapter: 2, seconds: 50, sound: 'gone' })).toEqual({ chapter: 2, seconds: 45 })
  })

  it('stays in its chapter if another one has the same sound', () => {
    const same = chapters.map((chapter) => ({ ...chapter, sound: 'both' }))
    expect(resumeFrom(same, { chapter: 2, seconds: 50, sound: 'both' })).toEqual({ chapter: 2, seconds: 45 })
  })

  it('starts at the first chapter without a saved place', () => {
    expect(resumeFrom(chapters, undefined)).toEqual({ chapter: 1, seconds: 0 })
  })

  it('a finished chapter resumes at its end, not 5 seconds before', () => {
    expect(resumeFrom(chapters, { chapter: 2, seconds: 99 })).toEqual({ chapter: 2, seconds: 99 })
    expect(resumeFrom(chapters, { chapter: 1, seconds: 299 })).toEqual({ chapter: 1, seconds: 294 })
  })

  it('accepts a place that the book no longer has', () => {
    expect(resumeFrom(chapters, { chapter: 9, seconds: 50 })).toEqual({ chapter: 1, seconds: 0 })
    expect(resumeFrom(chapters, { chapter: 2, seconds: 900 })).toEqual({ chapter: 2, seconds: 100 })
    expect(resumeFrom([], { chapter: 2, seconds: 9 })).toBeUndefined()
  })
})
