import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isNews, type LibraryPage, type OwnTitles } from '#storage/own-title.ts'
import { call } from '#net/call.ts'
import { ownTitlesQuery } from './own-titles-query.ts'

const PAGE = 100

interface KnownTitles extends OwnTitles {
  /** The device was asked. */
  readonly loaded: boolean
  /** It knew them all as the screen opened: they can be shown as they are, and nothing comes in below. */
  readonly wholeFromTheStart: boolean
}

/** All titles of the account. Where the server's first page says what is not known here, all are taken in again. */
export function useOwnTitles(ownerUuid: string, first: LibraryPage | undefined): KnownTitles {
  const queryClient = useQueryClient()
  const { data, isPending } = useQuery(ownTitlesQuery(ownerUuid))
  const [wholeFromTheStart, setWhole] = useState<boolean>()
  if (data && wholeFromTheStart === undefined) setWhole(data.whole)
  useEffect(() => {
    if (!data || !first || !isNews(data, first)) return
    void takeInOwnTitles(queryClient, ownerUuid).catch(() => undefined)
    // Asked when the server's page is another one: what was taken in because of it is no reason to ask again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [first, data === undefined, ownerUuid, queryClient])
  return { ...(data ?? NONE), loaded: !isPending, wholeFromTheStart: wholeFromTheStart ?? false }
}

/** Asks for all of the account's titles and keeps them here. */
export async function takeInOwnTitles(queryClient: QueryClient, ownerUuid: string): Promise<void> {
  const { followOwnTitles } = await import('#sync/own-titles.ts')
  const titles = await followOwnTitles(ownerUuid, (page) => askFor(ownerUuid, page))
  queryClient.setQueryData(ownTitlesQuery(ownerUuid).queryKey, titles)
}

const NONE: OwnTitles = { titles: [], whole: false }

const askFor = (ownerUuid: string, page: number) =>
  call('GET /api/libraries', {
    query: { page, itemsPerPage: PAGE },
    background: true,
    as: ownerUuid,
  })
