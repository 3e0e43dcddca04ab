import type { ClockReading } from './clock.ts'

export interface ChapterSeconds {
  readonly chapter: number
  readonly seconds: number
}

export interface HeardPlace {
  slug: string
  chapter: number
  seconds: number
  /**
   * Where in this chapter the stretch of listening began: a resume or a jump; 0 if it came from an earlier
   * chapter.
   */
  fromSeconds?: number | undefined
  /** The SHA-256 of the chapter's file: the shop's owner may give the chapter another number. */
  sound?: string | undefined
  /** Seconds listened to since the last stored place; 0 after a jump. */
  listenedSeconds?: number
  clock?: ClockReading
  /** Set if the event may also be sent or stored in another way. */
  eventId?: string
}

/** The position to resume from; `fromSeconds` is undefined if unknown. */
export type ResumePlace = Readonly<Pick<HeardPlace, 'chapter' | 'seconds' | 'fromSeconds' | 'sound'>> & {
  readonly heardAtMs?: number
}
