import type { ChapterSeconds } from '#storage/place.ts'
import { bookSeconds, chapterAt, placeAt, secondsIntoBook, type Chapter } from './model.ts'
import type { Position } from './position.ts'

/** The scrubber runs along this: one chapter, or the book from end to end. All in seconds of sound. */
export interface Timeline {
  readonly of: 'chapter' | 'book'
  readonly at: number
  readonly length: number
  readonly buffered: number
  /** Undefined for a place that does not lie on it. */
  along: (place: ChapterSeconds) => number | undefined
  placeFor: (at: number) => ChapterSeconds
  /** The beginnings of its chapters, the first one left out. */
  readonly borders: readonly number[]
  storedParts: (stored: ReadonlySet<number>) => readonly (readonly [number, number])[]
}

export function chapterTimeline({ chapter, seconds, duration, buffered }: Position): Timeline {
  return {
    of: 'chapter',
    at: seconds,
    length: duration,
    buffered,
    along: (place) => (place.chapter === chapter ? place.seconds : undefined),
    placeFor: (at) => ({ chapter, seconds: at }),
    borders: [],
    storedParts: (stored) => (stored.has(chapter) ? [[0, duration]] : []),
  }
}

export function bookTimeline(chapters: readonly Chapter[], position: Position): Timeline {
  const start = (number: number) => secondsIntoBook(chapters, { chapter: number, seconds: 0 })
  return {
    of: 'book',
    at: secondsIntoBook(chapters, position),
    length: bookSeconds(chapters),
    buffered: start(position.chapter) + position.buffered,
    along: (place) => (chapterAt(chapters, place.chapter) ? secondsIntoBook(chapters, place) : undefined),
    placeFor: (at) => placeAt(chapters, at),
    borders: chapters.slice(1).map(({ number }) => start(number)),
    storedParts: (stored) =>
      chapters
        .filter(({ number }) => stored.has(number))
        .map(({ number, seconds }) => [start(number), start(number) + seconds] as const),
  }
}
