import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LibraryEntry } from '#contract/library.ts'
import type { StoredTitle } from '#device/sound-db.ts'
import { formatOfKey, slugOfKey, titleKey, type TitleKey } from '#device/title-key.ts'
import { authorsOf, coverOf, pathOf, secondsOf } from '#features/catalogue/model.ts'
import { openedDownloads } from '#features/downloads/door.ts'
import type { Download } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import type { ShelfItem } from '#features/library/LibraryGrid.tsx'
import {
  progressOf,
  progressWords,
  readingOf,
  titleOf,
  type PlaceInBook,
  type Shelf,
} from '#features/library/model.ts'
import { bytes } from '#format/bytes.ts'
import { isShortRecording, shortLength } from '#format/duration.ts'
import { storedPicture } from '#app/playable.ts'

interface LibraryPage {
  'hydra:member': LibraryEntry[]
}

interface ShelfView {
  items: ShelfEntry[]
  /** Without a connection: what is owned and cannot be opened now. */
  waiting: ShelfItem[]
  /** Begun and not finished, the one heard last first; of all shelves, of what opens now. */
  begun: ShelfEntry[]
  /** How many titles are known at all, whichever shelf is shown. */
  known: number
  ready: boolean
}

/**
 * The shelf as it can be shown now: what the server (or the worker's copy) says, with places and downloads of
 * this device; where nobody answers, the downloads alone.
 */
export function useShelf(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  shelf: Shelf,
  online: boolean,
): ShelfView {
  const downloads = useDownloadsStore((state) => state.byTitle)
  const ready = useDownloadsStore((state) => state.ready)
  const places = usePlaces(owner)
  const readings = useReadings(owner)
  const stored = useStoredTitles(owner, downloads.size)

  return useMemo(() => {
    const entries = pages?.flatMap((page) => page['hydra:member']) ?? []
    const fromServer = entries.flatMap((entry) => serverItem(entry, { places, readings, downloads }))
    const known = new Set(fromServer.map(({ key }) => key))
    const fromDevice = stored
      .filter(({ key, kept }) => kept === 1 && !known.has(key))
      .map((title) => deviceItem(title, { places, readings }))
    const all = [...fromServer, ...fromDevice]
    const here = (item: ShelfEntry) => downloads.get(item.key)?.state === 'done'
    const items = all
      .filter((item) => onShelf(item, shelf, here(item)))
      .filter((item) => online || here(item))
    const rest = online
      ? []
      : all.filter((item) => !here(item) && onShelf(item, shelf === 'downloaded' ? 'all' : shelf, false))
    const begun = all
      .filter((item) => item.heardAtMs !== undefined && !item.finished && (online || here(item)))
      .sort((a, b) => (b.heardAtMs ?? 0) - (a.heardAtMs ?? 0))
    return {
      items,
      begun,
      known: all.length,
      waiting: rest.map((item) => ({ ...item, waitsFor: 'Needs a connection' })),
      ready: ready || pages !== undefined,
    }
  }, [pages, places, readings, downloads, stored, shelf, online, ready])
}

export interface ShelfEntry extends ShelfItem {
  readonly key: TitleKey
  readonly finished: boolean
  /** When it was heard last, on whichever device; undefined for a book not yet begun. */
  readonly heardAtMs: number | undefined
  readonly shortRecording: boolean
}

function onShelf(item: ShelfEntry, shelf: Shelf, downloaded: boolean): boolean {
  if (shelf === 'downloaded') return downloaded
  if (shelf === 'audiobooks') return item.format === 'audioBook'
  if (shelf === 'ebooks') return item.format === 'eBook'
  return shelf === 'all' || item.finished
}

/** Where the listener is, by book. */
interface Places {
  readonly places: ReadonlyMap<string, PlaceInBook>
  /** Shares of e-books. */
  readonly readings: ReadonlyMap<string, number>
}

function serverItem(
  entry: LibraryEntry,
  { places, readings, downloads }: Places & { downloads: ReadonlyMap<TitleKey, Download> },
): ShelfEntry[] {
  const title = titleOf(entry)
  if (!title) return []
  const { book } = title
  const key = titleKey(book.entityType === 'eBook' ? 'ebook' : 'audio', book.slug)
  const isEBook = book.entityType === 'eBook'
  const progress = isEBook ? undefined : progressOf(title.chapterSeconds, places.get(book.slug))
  const read = isEBook ? readingOf(readings.get(book.slug)) : undefined
  return [
    {
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
    },
  ]
}

function deviceItem(title: StoredTitle, { places, readings }: Places): ShelfEntry {
  const slug = slugOfKey(title.key)
  const isEBook = formatOfKey(title.key) === 'ebook'
  const lengths = title.files.map(({ playtime }) => playtime)
  const progress = isEBook ? undefined : progressOf(lengths, places.get(slug))
  const read = isEBook ? readingOf(readings.get(slug)) : undefined
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

/** Shares of the e-books that were opened, on this device or as it heard from the server. */
function useReadings(owner: string): ReadonlyMap<string, number> {
  const [readings, setReadings] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => {
    if (!owner) return undefined
    let stop = () => {}
    let left = false
    void import('#device/places.ts').then(({ watchPlaces }) => {
      if (left) return
      stop = watchPlaces(
        owner,
        (db) => db.readings.toArray(),
        (rows) => setReadings(new Map(rows.map(({ slug, share }) => [slug, share]))),
      )
    })
    return () => {
      left = true
      stop()
    }
  }, [owner])
  return readings
}

/** Places of this device, which follow the server's, by book. */
function usePlaces(owner: string): ReadonlyMap<string, PlaceInBook> {
  const [places, setPlaces] = useState<ReadonlyMap<string, PlaceInBook>>(new Map())
  useEffect(() => {
    if (!owner) return undefined
    let stop = () => {}
    let left = false
    void import('#device/places.ts').then(({ watchPlaces }) => {
      if (left) return
      stop = watchPlaces(
        owner,
        (db) => db.places.toArray(),
        (rows) => setPlaces(new Map(rows.map((row) => [row.slug, row]))),
      )
    })
    return () => {
      left = true
      stop()
    }
  }, [owner])
  return places
}

/** Titles the device can describe by itself; asked again when their number changes. */
function useStoredTitles(owner: string, count: number): readonly StoredTitle[] {
  const { data } = useQuery({
    queryKey: ['own', owner, 'stored-titles', count],
    queryFn: async () => (await openedDownloads())?.holdings().map(({ title }) => title) ?? [],
    enabled: owner !== '',
    staleTime: 0,
  })
  return data ?? []
}
