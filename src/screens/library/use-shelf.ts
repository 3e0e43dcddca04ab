import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LibraryEntry } from '#contract/library.ts'
import type { PlacesDb } from '#device/places-db.ts'
import type { StoredTitle } from '#device/sound-db.ts'
import { openedDownloads } from '#features/downloads/door.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import type { ShelfItem } from '#features/library/LibraryGrid.tsx'
import type { Shelf, ShelfTitle } from '#features/library/model.ts'
import { deviceItem, onShelf, serverItem, type ShelfEntry, titleItem } from './shelf-entry.ts'

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
  const places = useByBook(owner, allPlaces)
  const readings = useByBook(owner, allReadings)
  const stored = useStoredTitles(owner, downloads.size)
  const further = useHeardLast(owner, online ? pages : undefined, places)

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
    const begun = [...all, ...further.map((title) => titleItem(title, { places, readings, downloads }))]
      .filter((item) => item.heardAtMs !== undefined && !item.finished && (online || here(item)))
      .sort((a, b) => (b.heardAtMs ?? 0) - (a.heardAtMs ?? 0))
    return {
      items,
      begun,
      known: all.length,
      waiting: rest.map((item) => ({ ...item, waitsFor: 'Needs a connection' })),
      ready: ready || pages !== undefined,
    }
  }, [pages, further, places, readings, downloads, stored, shelf, online, ready])
}

type ByBook<Row> = ReadonlyMap<string, Row>
const allPlaces = (db: PlacesDb) => db.places.toArray()
const allReadings = (db: PlacesDb) => db.readings.toArray()

/** What this device knows of places, by book; it follows the server's. `read` stays the same function. */
function useByBook<Row extends { slug: string }>(
  owner: string,
  read: (db: PlacesDb) => Promise<Row[]>,
): ByBook<Row> {
  const [found, setFound] = useState<ByBook<Row>>(new Map())
  useEffect(() => {
    if (!owner) return undefined
    let stop = () => {}
    let left = false
    void import('#device/places.ts').then(({ watchPlaces }) => {
      if (left) return
      stop = watchPlaces(owner, read, (rows) => setFound(new Map(rows.map((row) => [row.slug, row]))))
    })
    return () => {
      left = true
      stop()
    }
  }, [owner, read])
  return found
}

/** Three at most: people come back for what they heard last. */
export const HEARD_LAST = 3

const NONE: readonly ShelfTitle[] = []

/** What was heard last may stand on a page of the shelf that is not loaded yet; it is asked for by itself. */
function useHeardLast(
  owner: string,
  pages: readonly LibraryPage[] | undefined,
  places: ByBook<{ slug: string; heardAtMs: number }>,
): readonly ShelfTitle[] {
  const queryClient = useQueryClient()
  const entries = pages?.flatMap((page) => page['hydra:member']) ?? []
  const isWhole = !pages || entries.length >= (pages.at(-1)?.['hydra:totalItems'] ?? 0)
  const known = new Set(entries.map(({ audioBook }) => audioBook?.slug))
  const slugs = isWhole
    ? []
    : [...places.values()]
        .sort((a, b) => b.heardAtMs - a.heardAtMs)
        .slice(0, HEARD_LAST)
        .map(({ slug }) => slug)
        .filter((slug) => !known.has(slug))
  const { data } = useQuery({
    queryKey: ['own', owner, 'heard-last', ...slugs],
    queryFn: async () => {
      const ask = (slug: string) =>
        queryClient.fetchQuery(ownBookQuery('audio_books', slug, owner, { background: true }))
      const books = await Promise.all(slugs.map(ask))
      // Without its sound it is no longer theirs.
      return books.flatMap((book) =>
        book && book.audioFiles.length > 0
          ? { book, chapterSeconds: book.audioFiles.map(({ playtime }) => playtime) }
          : [],
      )
    },
    enabled: slugs.length > 0,
  })
  return data ?? NONE
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
