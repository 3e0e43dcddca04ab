import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { EditorialCard, EditorialItem } from '#contract/editorial.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import type { EditorialKind } from './model.ts'

const TEN_MINUTES_MS = 600_000
/** Articles, podcasts, events and murmurations come five at a time. */
export const EDITORIAL_PAGE = 5

export interface EditorialPage {
  'hydra:member': EditorialCard[]
  'hydra:totalItems': number
}

interface PageOfItems {
  'hydra:member': unknown[]
  'hydra:totalItems': number
}

const nextPage = (last: PageOfItems, pages: PageOfItems[]) => {
  const loaded = pages.reduce((sum, page) => sum + page['hydra:member'].length, 0)
  return last['hydra:member'].length > 0 && loaded < last['hydra:totalItems'] ? pages.length + 1 : undefined
}

export const itemsQuery = (kind: EditorialKind) =>
  infiniteQueryOptions({
    queryKey: ['editorial', kind],
    queryFn: ({ pageParam, signal }): Promise<EditorialPage> =>
      call(`GET /api/${kind}`, {
        query: { _page: pageParam, itemsPerPage: EDITORIAL_PAGE },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: TEN_MINUTES_MS,
  })

export const murmurationsQuery = (types: readonly number[]) =>
  infiniteQueryOptions({
    queryKey: ['editorial', 'murmurations', types],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/murmurations', {
        query: {
          _page: pageParam,
          itemsPerPage: EDITORIAL_PAGE,
          sort: 'publishedAt',
          direction: 'desc',
          ...(types.length > 0 ? { types: [...types] } : {}),
        },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: TEN_MINUTES_MS,
  })

export const typesQuery = () =>
  queryOptions({
    queryKey: ['editorial', 'types'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/types/murmurations', { signal, anonymous: true }))['hydra:member'],
    staleTime: TEN_MINUTES_MS,
  })

/** The item as any visitor sees it; null for one that does not exist. */
export const itemQuery = (kind: EditorialKind, slug: string) =>
  queryOptions({
    queryKey: ['editorial', kind, 'item', slug],
    queryFn: ({ signal }): Promise<EditorialItem | null> =>
      call(`GET /api/${kind}/{id}`, { params: { id: slug }, signal, anonymous: true }).catch(orNull),
    staleTime: TEN_MINUTES_MS,
  })

/** The same with what this reader's membership opens. */
export const ownItemQuery = (kind: EditorialKind, slug: string, ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'editorial', kind, slug),
    queryFn: ({ signal }): Promise<EditorialItem | null> =>
      call(`GET /api/${kind}/{id}`, { params: { id: slug }, signal, background: true, as: ownerUuid }).catch(
        orNull,
      ),
    staleTime: TEN_MINUTES_MS,
  })

function orNull(problem: unknown): null {
  if (problem instanceof NetProblem && problem.status === 404) return null
  throw problem
}
