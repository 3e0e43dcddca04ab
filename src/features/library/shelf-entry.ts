import type { OwnTitle } from '#storage/places-db.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { StoredTitle } from '#storage/sound-db.ts'
import { formatOfKey, slugOfKey, titleKey, type TitleKey } from '#storage/title-key.ts'
import { authorsOf, coverOf, secondsOf } from '#features/catalogue/model.ts'
import type { Download } from '#features/downloads/model.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import {
  type OwnSeries,
  type Progress,
  progressOf,
  progressWords,
  readingOf,
  seriesOf,
  type ShelfTitle,
} from './model.ts'
import { bytes } from '#format/bytes.ts'
import { isShortRecording, shortLength } from '#format/duration.ts'
import { storedPicture } from '#features/downloads/stored-picture.ts'
import type { Shown } from './view.ts'

export interface ShelfEntry extends ShelfItem {
  readonly key: TitleKey
  readonly finished: boolean
  /** Last heard or read, on any device; undefined for a title not started. */
  readonly heardAtMs: number | undefined
  readonly shortRecording: boolean
  readonly addedAtMs: number
  /** Length of the audio; 0 without audio. */
  readonly seconds: number
  readonly secondsLeft: number | undefined
  readonly pages: number
  readonly authorsLast: string
  /** Authors, narrators and series, for search. */
  readonly names: readonly string[]
  readonly series: readonly OwnSeries[]
  /** The same object while the title is unchanged: the cache key for calculations. */
  readonly source: object
}

export function isShown(item: ShelfEntry, show: Shown, downloaded: boolean): boolean {
  if (show === 'downloaded') return downloaded
  if (show === 'audiobooks') return item.format === 'audioBook'
  if (show === 'ebooks') return item.format === 'eBook'
  if (show === 'finished') return item.finished
  if (show === 'begun') return isBegun(item) && !item.finished
  return show === 'all' || !isBegun(item)
}

const isBegun = ({ share, heardAtMs }: ShelfEntry) => (share ?? 0) > 0 || heardAtMs !== undefined

interface Places {
  readonly places: ReadonlyMap<string, ChapterSeconds & { readonly heardAtMs?: number | undefined }>
  readonly readings: ReadonlyMap<string, { readonly share: number; readonly readAtMs?: number | undefined }>
}

type Known = Places & { downloads: ReadonlyMap<TitleKey, Download> }

/** The inputs of an entry, which is rebuilt only if one changes: a place is saved every few seconds. */
interface Made {
  readonly place: unknown
  readonly reading: unknown
  readonly download: unknown
  readonly entry: ShelfEntry
}
const made = new WeakMap<OwnTitle, Made>()

export function ownItem(title: OwnTitle, known: Known): ShelfEntry {
  const { slug } = title.book
  const place = known.places.get(slug)
  const reading = known.readings.get(slug)
  const download = known.downloads.get(title.key)
  const before = made.get(title)
  if (before && before.place === place && before.reading === reading && before.download === download)
    return before.entry
  const entry = titleItem(title, known)
  made.set(title, { place, reading, download, entry })
  return entry
}

export function titleItem(title: ShelfTitle, { places, readings, downloads }: Known): ShelfEntry {
  const { book } = title
  const key = titleKey(book.entityType === 'eBook' ? 'ebook' : 'audio', book.slug)
  const isEBook = book.entityType === 'eBook'
  const progress = isEBook ? undefined : progressOf(title.chapterSeconds, places.get(book.slug))
  const read = isEBook ? readingOf(readings.get(book.slug)?.share) : undefined
  const series = seriesOf(book)
  const sound = sumOf(title.chapterSeconds)
  return {
    key,
    slug: book.slug,
    title: book.title,
    author: authorsOf(book),
    format: book.entityType,
    picture: coverOf(book),
    to: openingOf(key),
    share: isEBook ? read?.share : (progress?.share ?? 0),
    words: read?.words ?? progressWords(title, progress),
    note: downloadNote(downloads.get(key)),
    finished: (progress ?? read)?.finished ?? false,
    heardAtMs: (progress && places.get(book.slug)?.heardAtMs) ?? (read && readings.get(book.slug)?.readAtMs),
    shortRecording: !isEBook && isShortRecording(sound, secondsOf(book)),
    addedAtMs: title.addedAtMs ?? 0,
    ...lengths(isEBook ? 0 : sound || secondsOf(book), progress),
    pages: book.pages ?? 0,
    authorsLast: book.authors[0] ? `${book.authors[0].lastName} ${book.authors[0].firstName}` : '',
    names: [...book.authors, ...book.narrators]
      .map(({ fullName }) => fullName)
      .concat(series.map(({ name }) => name)),
    series,
    source: title,
  }
}

export function deviceItem(title: StoredTitle, { places, readings }: Places): ShelfEntry {
  const slug = slugOfKey(title.key)
  const isEBook = formatOfKey(title.key) === 'ebook'
  const chapters = title.files.map(({ playtime }) => playtime)
  const progress = isEBook ? undefined : progressOf(chapters, places.get(slug))
  const read = isEBook ? readingOf(readings.get(slug)?.share) : undefined
  const total = sumOf(chapters)
  const series = title.page ? seriesOf(title.page) : []
  return {
    key: title.key,
    slug,
    title: title.title,
    author: title.authors.join(', '),
    format: isEBook ? 'eBook' : 'audioBook',
    picture: storedPicture(title),
    to: openingOf(title.key),
    share: isEBook ? read?.share : (progress?.share ?? 0),
    words: read
      ? read.words
      : progress?.finished
        ? 'Finished'
        : progress
          ? `${shortLength(Math.max(60, progress.secondsLeft))} left`
          : total > 0
            ? shortLength(total)
            : '',
    finished: (progress ?? read)?.finished ?? false,
    heardAtMs: (progress && places.get(slug)?.heardAtMs) ?? (read && readings.get(slug)?.readAtMs),
    shortRecording: title.page !== undefined && isShortRecording(total, secondsOf(title.page)),
    addedAtMs: title.addedAtMs,
    ...lengths(isEBook ? 0 : total, progress),
    pages: title.page?.pages ?? 0,
    authorsLast: title.authors[0]?.split(' ').toReversed().join(' ') ?? '',
    names: [...title.authors, ...title.narrators, ...series.map(({ name }) => name)],
    series,
    source: title,
  }
}

/** In the library a press plays or opens the title (docs/product.md, Library). */
const openingOf = (key: TitleKey) =>
  formatOfKey(key) === 'ebook' ? `/read/${slugOfKey(key)}` : `/player/${slugOfKey(key)}`

const lengths = (seconds: number, progress: Progress | undefined) => ({
  seconds,
  secondsLeft: seconds > 0 ? (progress?.secondsLeft ?? seconds) : undefined,
})

const sumOf = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0)

function downloadNote(download: Download | undefined): string | undefined {
  if (!download) return undefined
  if (download.state === 'downloading')
    return `${Math.round(download.share * 100)}% of ${bytes(download.totalBytes)}`
  if (download.state === 'waiting') return 'Waiting for its turn'
  return download.state === 'failed' ? 'Didn’t finish. Try again.' : undefined
}
