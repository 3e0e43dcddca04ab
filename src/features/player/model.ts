import { isHeardToTheEnd } from '#contract/finished.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { CoverPicture } from '#ui/Cover.tsx'

/** A chapter in playing order. `seconds` is measured, `number` its `chapterOrderNumber`. */
export interface Chapter {
  readonly number: number
  readonly title: string
  readonly seconds: number
  readonly bytes: number
  /** SHA-256 of its file; absent for samples and recordings. */
  readonly sound?: string
}

/**
 * Identifies a playable title: a book and its sample share the slug; a journal recording's is
 * `interviews/{slug}`.
 */
export interface TitleRef {
  readonly slug: string
  readonly kind: 'book' | 'sample' | 'recording'
}

/** A title without chapters can't be played (PLAY-16). */
export interface Playable extends TitleRef {
  readonly title: string
  readonly author: string
  /** "Book 2 of 5"; empty or absent outside a series. */
  readonly place?: string
  readonly narrator: string
  /** The slug of the title's e-book, if it has one. */
  readonly eBook?: string
  readonly cover: CoverPicture
  readonly coverAlt: string
  /** The title's colours, unchecked: `titleTheme` makes them readable. */
  readonly colours: {
    readonly background: string | null
    readonly container: string | null
    readonly text: string | null
  }
  readonly chapters: readonly Chapter[]
  /** A signed, short-lived address of the zip, or null. */
  readonly download: string | null
}

/** The skipped part of a silence, in seconds of its chapter. */
export interface Cut {
  readonly from: number
  readonly to: number
}
/** By chapter number, each sorted. */
export type Cuts = ReadonlyMap<number, readonly Cut[]>

export const sameTitle = (one: TitleRef | undefined, other: TitleRef | undefined): boolean =>
  one?.slug === other?.slug && one?.kind === other?.kind

export const chapterAt = (chapters: readonly Chapter[], number: number): Chapter | undefined =>
  chapters.find((chapter) => chapter.number === number)

export const chapterAfter = (chapters: readonly Chapter[], number: number): Chapter | undefined =>
  chapters[indexOf(chapters, number) + 1]

export const chapterBefore = (chapters: readonly Chapter[], number: number): Chapter | undefined =>
  chapters[indexOf(chapters, number) - 1]

export const bookSeconds = (chapters: readonly Chapter[]): number =>
  chapters.reduce((sum, chapter) => sum + chapter.seconds, 0)

export function secondsIntoBook(chapters: readonly Chapter[], place: ChapterSeconds): number {
  const before = chapters.slice(0, Math.max(0, indexOf(chapters, place.chapter)))
  return bookSeconds(before) + place.seconds
}

/** Moves a place by seconds, across chapters, between 0 and the end (PLAY-02). */
export function jumpFrom(
  chapters: readonly Chapter[],
  place: ChapterSeconds,
  bySeconds: number,
): ChapterSeconds {
  return placeAt(chapters, secondsIntoBook(chapters, place) + bySeconds)
}

/** Limits a place to the book: an unknown chapter becomes the first, and seconds stay within the chapter. */
export function clampPlace(chapters: readonly Chapter[], place: ChapterSeconds): ChapterSeconds | undefined {
  const chapter = chapterAt(chapters, place.chapter)
  if (!chapter) return chapters[0] && { chapter: chapters[0].number, seconds: 0 }
  const seconds = Number.isFinite(place.seconds) ? place.seconds : 0
  return { chapter: chapter.number, seconds: Math.min(Math.max(0, seconds), chapter.seconds) }
}

/** Samples and recordings are never finished. */
export const isHeardToItsEnd = ({ kind, chapters }: Playable, at: ChapterSeconds): boolean =>
  kind === 'book' && isHeardToTheEnd(chapters, at)

const indexOf = (chapters: readonly Chapter[], number: number): number =>
  chapters.findIndex((chapter) => chapter.number === number)

export function placeAt(chapters: readonly Chapter[], secondsIn: number): ChapterSeconds {
  let left = Math.max(0, secondsIn)
  for (const chapter of chapters) {
    if (left < chapter.seconds) return { chapter: chapter.number, seconds: left }
    left -= chapter.seconds
  }
  const last = chapters.at(-1)
  return { chapter: last?.number ?? 1, seconds: last?.seconds ?? 0 }
}
