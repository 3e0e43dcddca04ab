import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { TEN_MINUTES_MS, nextPage } from '#features/query-options.ts'
import { call, type CallInput } from '#net/call.ts'
import type { Kind, Sort } from './model.ts'

/** CONST: books come twelve at a time, articles five (SEARCH-19, SEARCH-07). */
export const BOOKS_AT_ONCE = 12
export const ARTICLES_AT_ONCE = 5

/** The panel's: at most 4 books and 2 articles, with both totals, and what they were found by. */
export const quickQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['search', 'quick', keyword],
    queryFn: async ({ signal }) => ({
      ...(await call('GET /api/quick_results', { query: { keyword }, signal, anonymous: true })),
      keyword,
    }),
    staleTime: TEN_MINUTES_MS,
  })

type BookNarrowing = Omit<
  NonNullable<CallInput<'GET /api/search_books'>['query']>,
  'keyword' | 'page' | '_page' | 'itemsPerPage' | 'sort' | 'direction'
>

/** @param keyword null finds nothing, and is not asked for */
export const foundBooksQuery = (keyword: string | null, sort: Sort, narrowed: BookNarrowing) =>
  infiniteQueryOptions({
    queryKey: ['search', 'books', keyword, sort, narrowed],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/search_books', {
        query: {
          ...narrowed,
          keyword: keyword ?? '',
          page: pageParam,
          itemsPerPage: BOOKS_AT_ONCE,
          ...(sort === 'name' ? { sort, direction: 'asc' } : {}),
        },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    enabled: keyword !== null,
    staleTime: TEN_MINUTES_MS,
  })

/** @param keyword null finds nothing, and is not asked for */
export const foundArticlesQuery = (keyword: string | null, sort: Sort, kinds: readonly Kind[]) =>
  infiniteQueryOptions({
    queryKey: ['search', 'articles', keyword, sort, kinds],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/murmurations', {
        query: {
          keyword: keyword ?? '',
          _page: pageParam,
          itemsPerPage: ARTICLES_AT_ONCE,
          ...(sort === 'name' ? { sort: 'title', direction: 'asc' } : { sort }),
          ...(kinds.length > 0 ? { 'search[]': [...kinds] } : {}),
        },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    enabled: keyword !== null,
    staleTime: TEN_MINUTES_MS,
  })
