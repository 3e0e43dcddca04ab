import { isHeardToTheEnd, isReadToTheEnd } from '#contract/finished.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { OwnBook } from '#storage/places-db.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { shortLength } from '#format/duration.ts'
import { plural } from '#format/plural.ts'

export interface ShelfTitle {
  readonly book: OwnBook
  readonly chapterSeconds: readonly number[]
  readonly addedAtMs?: number
}

export interface OwnSeries {
  readonly slug: string
  readonly name: string
  /** As printed: "1.5", "3–4"; empty for a title without a number. */
  readonly number: string
  /** Sort key; titles without a number come last. */
  readonly place: number
  readonly last: number | null
}

/** A title's series, the primary one first. A title stored by an older release has none. */
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

/** The progress in the whole book; undefined if nothing was heard or no chapter lengths are known. */
export function progressOf(
  chapterSeconds: readonly number[],
  place: ChapterSeconds | undefined,
): Progress | undefined {
  const total = sum(chapterSeconds)
  if (!place || total === 0) return undefined
  const heard = Math.min(total, sum(chapterSeconds.slice(0, place.chapter - 1)) + place.seconds)
  // At the very beginning, for example marked as not finished: the title counts as not started.
  if (heard === 0) return undefined
  const chapters = chapterSeconds.map((seconds, index) => ({ number: index + 1, seconds }))
  const secondsLeft = Math.max(0, total - heard)
  return { share: heard / total, secondsLeft, finished: isHeardToTheEnd(chapters, place) }
}

/** "6 h 01 m left", "Finished", or the length of a title not started. */
export function progressWords({ book, chapterSeconds }: ShelfTitle, progress: Progress | undefined): string {
  if (progress?.finished) return 'Finished'
  if (progress) return `${shortLength(Math.max(60, progress.secondsLeft))} left`
  if (book.entityType === 'eBook') return book.pages ? plural(book.pages, 'page') : ''
  const seconds = sum(chapterSeconds) || (book.lengthHours ?? 0) * 3600 + (book.lengthMin ?? 0) * 60
  return seconds > 0 ? shortLength(seconds) : ''
}

/** The progress of an e-book; undefined if it was never opened or is at its first page. */
export function readingOf(
  share: number | undefined,
): { share: number; finished: boolean; words: string } | undefined {
  if (!share) return undefined
  const finished = isReadToTheEnd(share)
  return { share, finished, words: finished ? 'Finished' : `${Math.round(share * 100)}% read` }
}

const sum = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0)
