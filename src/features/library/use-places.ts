import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownKey } from '#features/query-keys.ts'
import { type FormatPairs, formatPairsIn } from '#storage/format-pairs.ts'
import type { PlacesDb } from '#storage/places-db.ts'
import type { StoredTitle } from '#storage/sound-db.ts'
import { openedDownloads } from '#features/downloads/lazy.ts'
import { whileSeen } from '#ui/while-seen.ts'

/** The listener's places on this device, by book; `placesKnown` is undefined until they were read. */
export function usePlaces(owner: string) {
  const stored = useStored(owner, 'places', allPlaces)
  const readings = useStored(owner, 'readings', allReadings)
  const pairs = useStored(owner, 'pairs', formatPairsIn)
  return {
    places: stored?.places ?? NONE_STORED,
    readings: readings ?? NONE_STORED,
    pairs: pairs ?? NO_PAIRS,
    placesKnown: stored?.known,
    areAllRead: stored !== undefined && readings !== undefined && pairs !== undefined,
    /** The titles kept ready for offline use. */
    planned: useStored(owner, 'ready', titlesOfTheTunnel),
  }
}

const NO_PAIRS: FormatPairs = {}
const NONE_STORED: ByBook<never> = new Map<string, never>()

type Device = typeof import('#storage/places.ts')
export type ByBook<Row> = ReadonlyMap<string, Row>
const byBook = <Row extends { slug: string }>(rows: readonly Row[]): ByBook<Row> =>
  new Map(rows.map((row) => [row.slug, row]))

/** `known`: the account's places were pulled at least once, so none is missing. */
const allPlaces = async (db: PlacesDb, { arePlacesKnown }: Device) => {
  const places = byBook(await db.places.toArray())
  return { places, known: await arePlacesKnown(db) }
}
const titlesOfTheTunnel = async (db: PlacesDb) => (await import('#storage/ready-plan.ts')).plannedTitles(db)
const allReadings = async (db: PlacesDb) => byBook(await db.readings.toArray())

/**
 * Reads the listener's data on this device, which is synced with the server. Undefined until it was read; a
 * screen shown again has it at once. `read` must be referentially stable.
 */
export function useStored<Stored>(
  owner: string,
  name: string,
  read: (db: PlacesDb, device: Device) => Promise<Stored>,
): Stored | undefined {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!owner) return undefined
    let stop = () => {}
    let left = false
    void import('#storage/places.ts').then((device) => {
      if (left) return
      stop = whileSeen(() =>
        device.watchPlaces(
          owner,
          (db) => read(db, device),
          (value) => queryClient.setQueryData(ownKey(owner, 'held', name), value),
        ),
      )
    })
    return () => {
      left = true
      stop()
    }
  }, [owner, name, read, queryClient])
  return useQuery<Stored>({ queryKey: ownKey(owner, 'held', name), queryFn: skipToken }).data
}

/** The titles in the download database; read again when their number changes. */
export function useStoredTitles(owner: string, count: number): readonly StoredTitle[] {
  const { data } = useQuery({
    queryKey: ownKey(owner, 'stored-titles', count),
    queryFn: async () => (await openedDownloads())?.holdings().map(({ title }) => title) ?? [],
    enabled: owner !== '',
    staleTime: 0,
  })
  return data ?? NO_TITLES
}
const NO_TITLES: readonly StoredTitle[] = []
