import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { TitleKey } from '#storage/title-key.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { deviceItem, ownItem, type ShelfEntry } from './shelf-entry.ts'
import { ownTitlesQuery } from './own-titles-query.ts'
import { takeInOwnTitles } from './use-own-titles.ts'
import { usePlaces, useStoredTitles } from './use-places.ts'

/** Every title of the listener that this device knows, by its key; a device that is new asks for them all. */
export function useOwnEntries(owner: string, online: boolean): ReadonlyMap<TitleKey, ShelfEntry> {
  const queryClient = useQueryClient()
  const { data: own } = useQuery(ownTitlesQuery(owner))
  const { places, readings } = usePlaces(owner)
  const downloads = useDownloadsStore((state) => state.byTitle)
  const stored = useStoredTitles(owner, downloads.size)
  const isNew = own?.whole === false
  useEffect(() => {
    if (isNew && online) void takeInOwnTitles(queryClient, owner).catch(() => undefined)
  }, [isNew, online, owner, queryClient])
  return useMemo(() => {
    const known = { places, readings, downloads }
    return new Map([
      ...stored.map((title) => [title.key, deviceItem(title, known)] as const),
      ...(own?.titles ?? []).map((title) => [title.key, ownItem(title, known)] as const),
    ])
  }, [own, places, readings, downloads, stored])
}
