import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS, nextPage, nullIfMissing } from '#features/query-options.ts'
import type { EditorialCard, EditorialItem } from '#contract/editorial.ts'
import { call } from '#net/call.ts'
import type { EditorialKind } from './model.ts'

export const EDITORIAL_PAGE = 5

export interface EditorialPage {
  'hydra:member': EditorialCard[]
  'hydra:totalItems': number
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

/** The fields that a copy may lack which the device stored before pieces had them. */
const LATER_FIELDS = {
  endsAt: null,
  over: false,
  place: null,
  placeNote: null,
  admission: null,
  goodToKnow: [],
  seats: null,
  backgroundColour: null,
  containerColour: null,
  textColour: null,
  parts: [],
} satisfies Partial<EditorialItem>

const complete = (item: EditorialItem): EditorialItem => ({ ...LATER_FIELDS, ...item })

/** As any visitor sees it; null if there is no such item. */
export const itemQuery = (kind: EditorialKind, slug: string) =>
  queryOptions({
    queryKey: ['editorial', kind, 'item', slug],
    queryFn: ({ signal }): Promise<EditorialItem | null> =>
      call(`GET /api/${kind}/{id}`, { params: { id: slug }, signal, anonymous: true })
        .then(complete)
        .catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** With what the user's membership includes. */
export const ownItemQuery = (kind: EditorialKind, slug: string, ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'editorial', kind, slug),
    queryFn: ({ signal }): Promise<EditorialItem | null> =>
      call(`GET /api/${kind}/{id}`, { params: { id: slug }, signal, background: true, as: ownerUuid })
        .then(complete)
        .catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/**
 * Loads a piece, and the others of its kind for the end of its page. In the browser only a page for members, which offers
 * the free ones, waits for them.
 * @throws notFound
 */
export async function loadPiece(
  queryClient: QueryClient,
  kind: EditorialKind,
  slug: string,
): Promise<EditorialItem> {
  const others = queryClient.prefetchInfiniteQuery(itemsQuery(kind))
  const item = await queryClient.ensureQueryData(itemQuery(kind, slug))
  if (item === null) throw notFound()
  if (typeof document === 'undefined' || item.access !== 'open') await others
  return item
}
