import type { LibraryEntry } from '#contract/library.ts'
import type { ChapterSeconds } from '#device/place.ts'
import type { StoredTitle } from '#device/sound-db.ts'
import { formatOfKey, slugOfKey, titleKey, type TitleKey } from '#device/title-key.ts'
import { authorsOf, coverOf, pathOf, secondsOf } from '#features/catalogue/model.ts'
import type { Download } from '#features/downloads/model.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import { progressOf, progressWords, readingOf, titleOf, type Shelf, type ShelfTitle } from './model.ts'
import { bytes } from '#format/bytes.ts'
import { isShortRecording, shortLength } from '#format/duration.ts'
import { storedPicture } from '#features/downloads/stored-picture.ts'

export interface ShelfEntry extends ShelfItem {
  readonly key: TitleKey
  readonly finished: boolean
  /** When it was heard last, on whichever device; undefined for a book not yet begun. */
  readonly heardAtMs: number | undefined
  readonly shortRecording: boolean
}

export function onShelf(item: ShelfEntry, shelf: Shelf, downloaded: boolean): boolean {
  if (shelf === 'downloaded') return downloaded
  if (shelf === 'audiobooks') return item.format === 'audioBook'
  if (shelf === 'ebooks') return item.format === 'eBook'
  return shelf === 'all' || item.finished
}

/** The listener's places, by book. */
interface Places {
  readonly places: ReadonlyMap<string, ChapterSeconds & { readonly heardAtMs?: number | undefined }>
  readonly readings: ReadonlyMap<string, { readonly share: number }>
}

type Known = Places & { downloads: ReadonlyMap<TitleKey, Download> }

export function serverItem(entry: LibraryEntry, known: Known): ShelfEntry[] {
  const title = titleOf(entry)
  return title ? [titleItem(title, known)] : []
}

export function titleItem(title: ShelfTitle, { places, readings, downloads }: Known): ShelfEntry {
  const { book } = title
  const key = titleKey(book.entityType === 'eBook' ? 'ebook' : 'audio', book.slug)
  const isEBook = book.entityType === 'eBook'
  const progress = isEBook ? undefined : progressOf(title.chapterSeconds, places.get(book.slug))
  const read = isEBook ? readingOf(readings.get(book.slug)?.share) : undefined
  return {
    key,
    slug: book.slug,
    title: book.title,
    author: authorsOf(book),
    format: book.entityType,
    picture: coverOf(book),
    to: pathOf(book),
    share: isEBook ? read?.share : (progress?.share ?? 0),
    words: read?.words ?? progressWords(title, progress),
    note: downloadNote(downloads.get(key)),
    finished: (progress ?? read)?.finished ?? false,
    heardAtMs: progress && places.get(book.slug)?.heardAtMs,
    shortRecording: !isEBook && isShortRecording(sumOf(title.chapterSeconds), secondsOf(book)),
  }
}

export function deviceItem(title: StoredTitle, { places, readings }: Places): ShelfEntry {
  const slug = slugOfKey(title.key)
  const isEBook = formatOfKey(title.key) === 'ebook'
  const lengths = title.files.map(({ playtime }) => playtime)
  const progress = isEBook ? undefined : progressOf(lengths, places.get(slug))
  const read = isEBook ? readingOf(readings.get(slug)?.share) : undefined
  const total = sumOf(lengths)
  return {
    key: title.key,
    slug,
    title: title.title,
    author: title.authors.join(', '),
    format: isEBook ? 'eBook' : 'audioBook',
    picture: storedPicture(title),
    to: isEBook ? `/ebooks/${slug}` : `/audiobooks/${slug}`,
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
    heardAtMs: progress && places.get(slug)?.heardAtMs,
    shortRecording: title.page !== undefined && isShortRecording(total, secondsOf(title.page)),
  }
}

const sumOf = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0)

function downloadNote(download: Download | undefined): string | undefined {
  if (!download) return undefined
  if (download.state === 'downloading')
    return `${Math.round(download.share * 100)}% of ${bytes(download.totalBytes)}`
  if (download.state === 'waiting') return 'Waiting for its turn'
  return download.state === 'failed' ? 'Didn’t finish. Try again.' : undefined
}
