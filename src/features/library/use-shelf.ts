import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo, useEffect, useState } from 'react'
import type { Book } from '#contract/catalogue.ts'
import type { LibraryEntry } from '#contract/library.ts'
import { type LibraryPage, ownTitle } from '#storage/own-title.ts'
import type { OwnTitle } from '#storage/places-db.ts'
import { formatOfKey, type TitleKey } from '#storage/title-key.ts'
import { otherFormatIn, withoutOlderFormats } from '#storage/format-pairs.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { findTitles } from './find.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import { inSeries, ordered, stacked } from './order.ts'
import { deviceItem, isShown, ownItem, type ShelfEntry, titleItem } from './shelf-entry.ts'
import { useOwnTitles } from './use-own-titles.ts'
import { type ByBook, usePlaces, useStoredTitles } from './use-places.ts'
import type { LibraryView, Shown } from './view.ts'

export interface BegunEntry extends ShelfEntry {
  /** The same title in its other format, which opens at the same sentence. */
  readonly other?: TitleKey | undefined
}

export interface ShelfView {
  /** Titles, or stacks when sorted by series. */
  items: readonly ShelfItem[]
  titles: readonly ShelfEntry[]
  /** Offline: owned titles that can't be opened now. */
  waiting: ShelfItem[]
  /** Started, unfinished titles that can be opened now, last heard first; ignores the filter. */
  begun: readonly BegunEntry[]
  all: readonly ShelfEntry[]
  /** The titles can be shown, and will keep their positions. */
  ready: boolean
  /** When the titles were shown it was not yet known what is started: a row about it would push titles down. */
  isBegunLate: boolean
  /** Everything on the server's further pages is already shown. */
  isWhole: boolean
}

type Wanted = Pick<LibraryView, 'q' | 'sort' | 'series'> & {
  readonly show: Shown
  /** The titles of one of the user's shelves, in its order. */
  readonly only?: readonly TitleKey[] | undefined
}

/**
 * Time limits for content above the titles: `known`, `asking` and `places` for the server, `device` for IndexedDB. A
 * new device has no places: they are worth waiting for.
 */
export const PATIENCE_MS = { known: 60, asking: 300, places: 1_500, device: 1_000 }

/**
 * The library to show: the server's titles (or the service worker's copy) and those stored here, with this
 * device's places and downloads. Without either, only the downloads.
 *
 * @param isLoaded the server has answered for the titles and for the content above them
 * @param isDeviceRead what else the screen shows above further titles was read from this device
 */
export function useShelf(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  { q, sort, series, show, only }: Wanted,
  {
    online,
    isLoaded,
    isDeviceRead = true,
  }: { online: boolean; isLoaded: boolean; isDeviceRead?: boolean | undefined },
): ShelfView {
  const downloads = useDownloadsStore((state) => state.byTitle)
  const ready = useDownloadsStore((state) => state.ready)
  const { places, readings, placesKnown, planned, pairs, areAllRead } = usePlaces(owner)
  const stored = useStoredTitles(owner, downloads.size)
  const own = useOwnTitles(owner, pages?.[0])
  // Only the unfiltered, newest-first list is paginated; filters and searches cover all titles.
  const isLooking =
    q !== '' || sort !== 'added' || series !== undefined || only !== undefined || show !== 'all'
  const all = own.wholeFromTheStart || isLooking || !online
  const titles = useTitles(pages, all ? own.titles : NO_TITLES)
  const { titles: further, asking } = useLastPlayed(owner, online && !all ? pages : undefined, places)

  const opensInTheTunnel = useCallback(
    (key: TitleKey) =>
      !online &&
      // An opened e-book is always stored completely.
      (planned?.has(key) === true || formatOfKey(key) === 'ebook') &&
      (downloads.get(key)?.stored.size ?? 0) > 0,
    [online, planned, downloads],
  )
  const known = useMemo(() => {
    const fromServer = titles.map((title) => ownItem(title, { places, readings, downloads }))
    const keys = new Set(fromServer.map(({ key }) => key))
    const fromDevice = stored
      .filter(({ key, kept }) => (kept === 1 || opensInTheTunnel(key)) && !keys.has(key))
      .map((title) => deviceItem(title, { places, readings }))
    return [...fromServer, ...fromDevice]
  }, [titles, places, readings, downloads, stored, opensInTheTunnel])

  const view = useMemo(() => {
    const here = (item: ShelfEntry) => downloads.get(item.key)?.state === 'done' || opensInTheTunnel(item.key)
    const shown = (wanted: Shown, downloaded: (item: ShelfEntry) => boolean) =>
      arranged(
        findTitles(known, q).filter((item) => isShown(item, wanted, downloaded(item))),
        { sort, series, only },
      )
    const found = shown(show, here).filter((item) => online || here(item))
    const rest = online
      ? []
      : shown(show === 'downloaded' ? 'all' : show, () => false).filter((item) => !here(item))
    return {
      titles: found,
      items: sort === 'series' && series === undefined && only === undefined ? stacked(found) : found,
      waiting: rest.map((item) => ({ ...item, waitsFor: 'Needs a connection' })),
    }
  }, [known, downloads, q, sort, series, only, show, online, opensInTheTunnel])
  const begun = useMemo(() => {
    const titles = [...known, ...further.map((title) => titleItem(title, { places, readings, downloads }))]
    const started = titles
      .filter((item) => item.heardAtMs !== undefined)
      .sort((a, b) => (b.heardAtMs ?? 0) - (a.heardAtMs ?? 0))
    const opens = (key: TitleKey) => online || downloads.get(key)?.state === 'done' || opensInTheTunnel(key)
    const opening = new Set(titles.map(({ key }) => key).filter(opens))
    // If the format used last can’t be opened offline, show the other one. A finished title counts as the format used last.
    return withoutOlderFormats(
      started.filter(({ key, finished }) => finished || opening.has(key)),
      pairs,
    )
      .filter((item) => !item.finished)
      .map((item): BegunEntry => {
        const other = otherFormatIn(pairs, item.key)
        return other && opening.has(other) ? { ...item, other } : item
      })
  }, [known, further, places, readings, downloads, online, opensInTheTunnel, pairs])
  const placesLoaded = placesKnown !== undefined && (!online || placesKnown)
  const isRead = own.loaded && areAllRead && isDeviceRead
  const isSettled = (!online || isLoaded) && isRead && placesLoaded && !asking
  const settled = useReadyOnce(
    isLoaded || known.length > 0,
    isSettled,
    PATIENCE_MS[!isRead ? 'device' : !placesLoaded ? 'places' : own.wholeFromTheStart ? 'known' : 'asking'],
  )
  const [isBegunLate, setBegunLate] = useState<boolean>()
  if (settled && isBegunLate === undefined) setBegunLate(!isSettled && begun.length === 0)
  return {
    ...view,
    begun,
    all: known,
    isBegunLate: isBegunLate === true,
    ready: settled && (online || ready || pages !== undefined || own.whole),
    isWhole: own.wholeFromTheStart || (isLooking && own.whole),
  }
}

function arranged(
  items: readonly ShelfEntry[],
  { sort, series, only }: Pick<Wanted, 'sort' | 'series' | 'only'>,
) {
  if (series !== undefined) return inSeries(items, series)
  if (!only) return ordered(items, sort)
  const byKey = new Map(items.map((item) => [item.key, item]))
  return only.flatMap((key) => byKey.get(key) ?? [])
}

/** The server's pages, then the other known titles. An unchanged title stays the same object. */
function useTitles(
  pages: readonly LibraryPage[] | undefined,
  known: readonly OwnTitle[],
): readonly OwnTitle[] {
  return useMemo(() => {
    const fromServer = (pages ?? [])
      .flatMap((page) => page['hydra:member'])
      .flatMap((entry) => {
        const title = made.get(entry) ?? ownTitle(entry)
        made.set(entry, title)
        return title
      })
    const there = new Set(fromServer.map(({ key }) => key))
    return [...fromServer, ...known.filter(({ key }) => !there.has(key))]
  }, [pages, known])
}

const made = new WeakMap<LibraryEntry, OwnTitle[]>()
const NO_TITLES: readonly OwnTitle[] = []

/** At most three: users return to what they heard last. */
export const LAST_PLAYED = 3

/** Fetches the last played titles individually, because their page may not be loaded yet. */
function useLastPlayed(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  places: ByBook<{ slug: string; heardAtMs: number }>,
) {
  const entries = pages?.flatMap((page) => page['hydra:member']) ?? []
  const isWhole = !pages || entries.length >= (pages.at(-1)?.['hydra:totalItems'] ?? 0)
  const known = new Set(entries.map(({ audioBook }) => audioBook?.slug))
  const slugs = isWhole
    ? []
    : [...places.values()]
        .sort((a, b) => b.heardAtMs - a.heardAtMs)
        .slice(0, LAST_PLAYED)
        .map(({ slug }) => slug)
        .filter((slug) => !known.has(slug))
  return useQueries({
    queries: slugs.map((slug) => ownBookQuery('audio_books', slug, owner, { background: true })),
    combine: asTitles,
  })
}

const asTitles = (answers: readonly UseQueryResult<Book | null>[]) => ({
  // A book without audio files is no longer owned.
  titles: answers.flatMap(({ data: book }) =>
    book && book.audioFiles.length > 0
      ? [{ book, chapterSeconds: book.audioFiles.map(({ playtime }) => playtime) }]
      : [],
  ),
  asking: answers.some(({ isLoading }) => isLoading),
})

/**
 * Becomes true once `settled`, or `patienceMs` after there is `something` to show, and stays true. Content
 * above the titles waits no longer than this: inserted later, it would move the titles.
 */
function useReadyOnce(something: boolean, settled: boolean, patienceMs: number): boolean {
  const [open, setOpen] = useState(settled)
  if (settled && !open) setOpen(true)
  useEffect(() => {
    if (!something || open) return undefined
    const timer = setTimeout(() => setOpen(true), patienceMs)
    return () => clearTimeout(timer)
  }, [something, open, patienceMs])
  return open || settled
}
