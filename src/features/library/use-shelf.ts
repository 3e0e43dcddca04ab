import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Book } from '#contract/catalogue.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { StoredTitle } from '#device/sound-db.ts'
import { openedDownloads } from '#features/downloads/lazy.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import type { Shelf } from './model.ts'
import { deviceItem, onShelf, serverItem, type ShelfEntry, titleItem } from './shelf-entry.ts'
import { usePlaces } from './use-places.ts'
import { useReadyOnce } from './use-ready-once.ts'

interface LibraryPage {
  'hydra:totalItems': number
  'hydra:member': LibraryEntry[]
}

interface ShelfView {
  items: ShelfEntry[]
  /** Without a connection: what is owned and cannot be opened now. */
  waiting: ShelfItem[]
  /** Begun and not finished, the one heard last first; of all shelves, of what opens now. */
  begun: ShelfEntry[]
  /** The number of titles that are known at all, whichever shelf is shown. */
  known: number
  /** The titles can be shown, and stay where they are. */
  ready: boolean
}

/**
 * The shelf as it can be shown now: what the server (or the worker's copy) says, with places and downloads of
 * this device; where nobody answers, the downloads alone.
 *
 * @param told the server has said what it says of titles, and of what stands above them.
 */
export function useShelf(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  shelf: Shelf,
  { online, isLoaded }: { online: boolean; isLoaded: boolean },
): ShelfView {
  const downloads = useDownloadsStore((state) => state.byTitle)
  const ready = useDownloadsStore((state) => state.ready)
  const { places, readings, placesKnown } = usePlaces(owner)
  const stored = useStoredTitles(owner, downloads.size)
  const { titles: further, asking } = useLastPlayed(owner, online ? pages : undefined, places)

  const view = useMemo(() => {
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
    const begun = [...all, ...further.map((title) => titleItem(title, { places, readings, downloads }))]
      .filter((item) => item.heardAtMs !== undefined && !item.finished && (online || here(item)))
      .sort((a, b) => (b.heardAtMs ?? 0) - (a.heardAtMs ?? 0))
    return {
      items,
      begun,
      known: all.length,
      waiting: rest.map((item) => ({ ...item, waitsFor: 'Needs a connection' })),
    }
  }, [pages, further, places, readings, downloads, stored, shelf, online])
  const placesLoaded = placesKnown !== undefined && (!online || placesKnown)
  const settled = useReadyOnce(isLoaded || view.known > 0, (!online || isLoaded) && placesLoaded && !asking)
  return { ...view, ready: settled && (online || ready || pages !== undefined) }
}

/** Three at most: people come back for what they heard last. */
export const LAST_PLAYED = 3

/** The title heard last may stand on a page of the shelf that is not loaded yet; it is asked for by itself. */
function useLastPlayed(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  places: ReadonlyMap<string, { slug: string; heardAtMs: number }>,
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
  // Without its sound it is no longer theirs.
  titles: answers.flatMap(({ data: book }) =>
    book && book.audioFiles.length > 0
      ? [{ book, chapterSeconds: book.audioFiles.map(({ playtime }) => playtime) }]
      : [],
  ),
  asking: answers.some(({ isLoading }) => isLoading),
})

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
