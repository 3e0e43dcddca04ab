import type { ClockReading } from './clock.ts'

/** A point in an audiobook: seconds into one chapter. */
export interface ChapterSeconds {
  readonly chapter: number
  readonly seconds: number
}

/** A point in a book that was heard, and how the listener came there. */
export interface HeardPlace {
  slug: string
  chapter: number
  seconds: number
  /** The point of this chapter at which the stretch of listening began: a resume or a move; 0 when it came from an earlier one. */
  fromSeconds?: number | undefined
  /** Seconds of sound heard since the last stored place; 0 after a jump. */
  listenedSeconds?: number
  clock?: ClockReading
  /** Given where the event may also leave, or be written, by another way. */
  eventId?: string
}

/** The point to go on from; `fromSeconds` is undefined where nobody said. */
export type ResumePlace = Readonly<Pick<HeardPlace, 'chapter' | 'seconds' | 'fromSeconds'>> & {
  /** Absent where nobody knows. */
  readonly heardAtMs?: number
}
