import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS, nextPage, nullIfMissing } from '#features/query-options.ts'
import type { Book, BookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { has } from '#features/shop-details/shop.ts'
import { call } from '#net/call.ts'
import { queryOf, type BookFilter } from './filter.ts'
import type { BookKind } from './model.ts'

/** A carousel shows at most eight (HOME-15). */
const CAROUSEL_ITEMS = 8
/** More than the eight that are shown: titles that the user owns are left out. */
const HIGHLIGHTS = 12

/** A page of books of either format. */
interface Listed {
  readonly 'hydra:member': readonly BookCard[]
  readonly 'hydra:totalItems': number
}

export const booksQuery = (kind: BookKind, filter: BookFilter) =>
  queryOptions({
    queryKey: [kind, 'list', filter],
    queryFn: ({ signal }) =>
      call(`GET /api/${kind}`, { query: queryOf(filter, kind), signal, anonymous: true }),
    staleTime: TEN_MINUTES_MS,
  })

/** As any visitor sees it; null if there is no such book. */
export const bookQuery = (kind: BookKind, slug: string) =>
  queryOptions({
    queryKey: [kind, 'item', slug],
    queryFn: ({ signal }): Promise<Book | null> =>
      call(`GET /api/${kind}/{slug}`, { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** The title of a card's own page: the first member of the list (API-96); or null. */
export const spiSinQuery = (spiSIN: string) =>
  queryOptions({
    queryKey: ['audio_books', 'spiSIN', spiSIN],
    queryFn: async ({ signal }): Promise<BookCard | null> => {
      const found = await call('GET /api/audio_books', { query: { spiSIN }, signal, anonymous: true })
      return found['hydra:member'][0] ?? null
    },
    staleTime: TEN_MINUTES_MS,
  })

/** With the fields of its owner: sound, download, owned. Never shared between users. */
export const ownBookQuery = (
  kind: BookKind,
  slug: string,
  ownerUuid: string,
  { background = false }: { background?: boolean } = {},
) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, kind, 'item', slug),
    queryFn: ({ signal }): Promise<Book | null> =>
      call(`GET /api/${kind}/{slug}`, { params: { slug }, signal, background, as: ownerUuid }).catch(
        nullIfMissing,
      ),
    staleTime: TEN_MINUTES_MS,
  })

export const highlightsQuery = () =>
  queryOptions({
    queryKey: ['audio_books', 'second_editions', HIGHLIGHTS],
    queryFn: ({ signal }) =>
      call('GET /api/audio_books/second_editions', {
        query: { page: 1, itemsPerPage: HIGHLIGHTS },
        signal,
        anonymous: true,
      }),
    staleTime: TEN_MINUTES_MS,
  })

export const relatedQuery = (kind: BookKind, slug: string) =>
  queryOptions({
    queryKey: [kind, 'related', slug],
    queryFn: ({ signal }) =>
      call(`GET /api/${kind}/{slug}/tag_related`, {
        params: { slug },
        query: { page: 1, itemsPerPage: CAROUSEL_ITEMS },
        signal,
        anonymous: true,
      }),
    staleTime: TEN_MINUTES_MS,
  })

type AudioShelf = 'editions' | 'highlights'

/** For `/editions` and `/subscriber-selection`, which load more of the same list. */
export const shelfQuery = (shelf: AudioShelf, itemsPerPage: number) =>
  infiniteQueryOptions({
    queryKey: ['audio_books', shelf, 'pages', itemsPerPage],
    queryFn: ({ pageParam, signal }) => {
      const query = { page: pageParam, itemsPerPage }
      return shelf === 'editions'
        ? call('GET /api/audio_books', { query: { ...query, edition: true }, signal, anonymous: true })
        : call('GET /api/audio_books/second_editions', { query, signal, anonymous: true })
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: TEN_MINUTES_MS,
  })

/** A section of the browse screen: newest first, of the chosen styles. */
export interface BrowseSection {
  readonly edition?: true
  readonly memoir?: true
  readonly writersDilemma?: true
  readonly highlight?: true
  readonly availableAsCard?: true
  readonly inStep?: true
  readonly category?: number
  readonly styles: readonly number[]
  readonly page?: number
  readonly itemsPerPage?: number
}

/** CONST-05: a carousel or page of the browse screens asks for twelve. */
export const browseQuery = ({
  category,
  styles,
  highlight,
  page = 1,
  itemsPerPage = PAGE_SIZE.collection,
  ...marks
}: BrowseSection) =>
  queryOptions({
    queryKey: ['audio_books', 'browse', { category, styles, highlight, page, itemsPerPage, ...marks }],
    queryFn: ({ signal }): Promise<Listed> => {
      const query = { page, itemsPerPage, 'styles[]': [...styles] }
      return highlight
        ? call('GET /api/audio_books/second_editions', { query, signal, anonymous: true })
        : call(`GET /api/${has('audiobooks') ? 'audio_books' : 'e_books'}`, {
            query: { ...query, ...marks, ...(category ? { 'categories[]': [category] } : {}) },
            signal,
            anonymous: true,
          })
    },
    staleTime: TEN_MINUTES_MS,
  })

/** Null if there is no such publisher. */
export const publisherQuery = (slug: string) =>
  queryOptions({
    queryKey: ['publishers', slug],
    queryFn: ({ signal }) =>
      call('GET /api/publishers/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

export const publisherBooksQuery = (slug: string, page: number) =>
  queryOptions({
    queryKey: ['publishers', slug, 'audio_books', page],
    queryFn: ({ signal }) =>
      call('GET /api/publishers/{slug}/audio_books', {
        params: { slug },
        query: { page, itemsPerPage: PAGE_SIZE.collection },
        signal,
        anonymous: true,
      }),
    staleTime: TEN_MINUTES_MS,
  })

/** CONST-04: lookups are fetched in one request. */
const WHOLE = { itemsPerPage: PAGE_SIZE.lookups }

const lookup = <Name extends string, T>(name: Name, ask: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: ['lookup', name] as const,
    queryFn: ({ signal }) => ask(signal),
    staleTime: TEN_MINUTES_MS,
  })

export const stylesQuery = () =>
  lookup('styles', (signal) => call('GET /api/styles', { query: WHOLE, signal, anonymous: true }))
export const categoriesQuery = () =>
  lookup('categories', (signal) => call('GET /api/categories', { query: WHOLE, signal, anonymous: true }))
export const locationsQuery = () =>
  lookup('locations', (signal) => call('GET /api/locations', { query: WHOLE, signal, anonymous: true }))
export const nationalitiesQuery = () =>
  lookup('nationalities', (signal) =>
    call('GET /api/nationalities', { query: WHOLE, signal, anonymous: true }),
  )
export const publishersQuery = (itemsPerPage: number = PAGE_SIZE.lookups) =>
  queryOptions({
    queryKey: ['lookup', 'publishers', itemsPerPage],
    queryFn: ({ signal }) =>
      call('GET /api/publishers', { query: { itemsPerPage }, signal, anonymous: true }),
    staleTime: TEN_MINUTES_MS,
  })

/** Each with the number of its titles, and its newest. */
export const publishersPageQuery = () =>
  lookup('publishers with books', (signal) =>
    call('GET /api/publishers', {
      query: { itemsPerPage: PAGE_SIZE.publishers, withBooks: true },
      signal,
      anonymous: true,
    }),
  )
