import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useMemo } from 'react'
import { isNews, type LibraryPage, type OwnTitles } from '#storage/own-title.ts'
import { call } from '#net/call.ts'
import { ownTitlesQuery } from './queries.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { deviceItem, ownItem, type ShelfEntry } from './shelf-entry.ts'
import { usePlaces, useStoredTitles } from './use-places.ts'

const PAGE = 100

interface KnownTitles extends OwnTitles {
  readonly loaded: boolean
  /** The device had all titles when the screen opened, so none will be added below. */
  readonly wholeFromTheStart: boolean
}

/**
 * All titles of the account. If the server's first page differs from the stored titles, pulls all of them
 * again.
 */
export function useOwnTitles(ownerUuid: string, first: LibraryPage | undefined): KnownTitles {
  const queryClient = useQueryClient()
  const { data, isPending } = useQuery(ownTitlesQuery(ownerUuid))
  const [wholeFromTheStart, setWhole] = useState<boolean>()
  if (data && wholeFromTheStart === undefined) setWhole(data.whole)
  useEffect(() => {
    if (!data || !first || !isNews(data, first)) return
    void takeInOwnTitles(queryClient, ownerUuid).catch(() => undefined)
    // Depends only on the server's page: the titles pulled because of it must not trigger another pull.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [first, data === undefined, ownerUuid, queryClient])
  return { ...(data ?? NONE), loaded: !isPending, wholeFromTheStart: wholeFromTheStart ?? false }
}

const pulls = new Map<string, Promise<void>>()

/** Pulls all titles of the account onto the device. Callers at the same time share one pull. */
export function takeInOwnTitles(queryClient: QueryClient, ownerUuid: string): Promise<void> {
  const pull = async () => {
    const { followOwnTitles } = await import('#sync/own-titles.ts')
    const titles = await followOwnTitles(ownerUuid, (page) => askFor(ownerUuid, page))
    queryClient.setQueryData(ownTitlesQuery(ownerUuid).queryKey, titles)
  }
  const running = pulls.get(ownerUuid) ?? pull().finally(() => pulls.delete(ownerUuid))
  pulls.set(ownerUuid, running)
  return running
}

const NONE: OwnTitles = { titles: [], whole: false }

const askFor = (ownerUuid: string, page: number) =>
  call('GET /api/libraries', {
    query: { page, itemsPerPage: PAGE },
    background: true,
    as: ownerUuid,
  })

/** The listener's titles on this device, by key; a new device pulls them all. */
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
