import { isHeardToTheEnd, isReadToTheEnd } from '#contract/finished.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { OwnBook } from '#storage/places-db.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { shortLength } from '#format/duration.ts'

/** A title on the shelf, from the server or from the downloads alone. */
export interface ShelfTitle {
  readonly book: OwnBook
  readonly chapterSeconds: readonly number[]
  readonly addedAtMs?: number
}

/** The place of a title in a series. */
export interface OwnSeries {
  readonly slug: string
  readonly name: string
  /** As it is printed: "1.5", "3–4"; empty for a title that bears none. */
  readonly number: string
  /** Orders the titles of the series; those without a number come last. */
  readonly place: number
  /** The highest number of the series. */
  readonly last: number | null
}

/** The series of a title, the one it is known by first. A device may have kept the title before it knew of series. */
export const seriesOf = ({ series }: Partial<Pick<OwnBook, 'series'>>): readonly OwnSeries[] =>
  (series ?? []).map(({ slug, title, number, last }) => {
    const place = Number.parseFloat(number ?? '')
    return { slug, name: title, number: number ?? '', place: Number.isNaN(place) ? Infinity : place, last }
  })

export function titleOf(entry: LibraryEntry): ShelfTitle | undefined {
  const book = entry.audioBook ?? entry.eBook
  return book ? { book, chapterSeconds: entry.chapterSeconds } : undefined
}

export interface Progress {
  /** 0 to 1. */
  readonly share: number
  readonly secondsLeft: number
  readonly finished: boolean
}

/** The progress of a place in the whole book; undefined where nothing was heard or no sound is known. */
export function progressOf(
  chapterSeconds: readonly number[],
  place: ChapterSeconds | undefined,
): Progress | undefined {
  const total = sum(chapterSeconds)
  if (!place || total === 0) return undefined
  const heard = Math.min(total, sum(chapterSeconds.slice(0, place.chapter - 1)) + place.seconds)
  // At the very beginning, for example after being marked as not finished: the title counts as not started.
  if (heard === 0) return undefined
  const chapters = chapterSeconds.map((seconds, index) => ({ number: index + 1, seconds }))
  const secondsLeft = Math.max(0, total - heard)
  return { share: heard / total, secondsLeft, finished: isHeardToTheEnd(chapters, place) }
}

/** "6 h 01 m left", "Finished", or the whole length of a title not yet begun. */
export function progressWords({ book, chapterSeconds }: ShelfTitle, progress: Progress | undefined): string {
  if (progress?.finished) return 'Finished'
  if (progress) return `${shortLength(Math.max(60, progress.secondsLeft))} left`
  if (book.entityType === 'eBook') return book.pages ? `${book.pages} pages` : ''
  const seconds = sum(chapterSeconds) || (book.lengthHours ?? 0) * 3600 + (book.lengthMin ?? 0) * 60
  return seconds > 0 ? shortLength(seconds) : ''
}

/** The same for an e-book, from the share that was read; undefined if it was never opened or is at its first page. */
export function readingOf(
  share: number | undefined,
): { share: number; finished: boolean; words: string } | undefined {
  if (!share) return undefined
  const finished = isReadToTheEnd(share)
  return { share, finished, words: finished ? 'Finished' : `${Math.round(share * 100)}% read` }
}

const sum = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0)
