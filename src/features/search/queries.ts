import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { isNarrowed, loadOptions } from '#features/catalogue/filter-options.ts'
import { nextPage, TEN_MINUTES_MS } from '#features/query-options.ts'
import { call, type CallInput } from '#net/call.ts'
import type { ArticleSearch, BookSearch } from './address.ts'
import { keywordIn, type Kind, type Sort } from './model.ts'

/** (SEARCH-19, SEARCH-07) */
const BOOKS_AT_ONCE = 12
const ARTICLES_AT_ONCE = 5

/** For the panel: at most 4 books and 2 articles, with both totals. Counts books like the results page. */
export const quickQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['search', 'quick', keyword],
    queryFn: async ({ signal }) => ({
      ...(await call('GET /api/quick_results', {
        query: { keyword, together: true },
        signal,
        anonymous: true,
      })),
      keyword,
    }),
    staleTime: TEN_MINUTES_MS,
  })

type BookNarrowing = Omit<
  NonNullable<CallInput<'GET /api/search_books'>['query']>,
  'keyword' | 'page' | '_page' | 'itemsPerPage' | 'sort' | 'direction' | 'together'
>

/** @param keyword null for none: nothing is requested */
const foundBooksQuery = (keyword: string | null, sort: Sort, narrowed: BookNarrowing) =>
  infiniteQueryOptions({
    queryKey: ['search', 'books', keyword, sort, narrowed],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/search_books', {
        query: {
          ...narrowed,
          keyword: keyword ?? '',
          page: pageParam,
          itemsPerPage: BOOKS_AT_ONCE,
          together: true,
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

/** @param keyword null for none: nothing is requested */
const foundArticlesQuery = (keyword: string | null, sort: Sort, kinds: readonly Kind[]) =>
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

export const booksFor = ({ typed, sort, filter }: BookSearch) =>
  foundBooksQuery(keywordIn(typed), sort, {
    ...given('styles', filter.styles),
    ...given('categories', filter.categories),
    ...given('locations', filter.locations),
    ...given('publishers', filter.publishers),
    ...given('authorsNationality', filter.nationalities),
    ...(filter.length === undefined ? {} : { lengthHours: filter.length }),
  })

export const articlesFor = ({ typed, sort, kinds }: ArticleSearch) =>
  foundArticlesQuery(keywordIn(typed), sort, kinds)

// Load as many pages as the address names, so that Back returns to the same place in the list.

export async function loadBooks(queryClient: QueryClient, search: BookSearch): Promise<void> {
  const query = booksFor(search)
  const { getNextPageParam } = query
  await Promise.all([
    keywordIn(search.typed) !== null &&
      queryClient.ensureInfiniteQueryData({ ...query, pages: search.filter.page, getNextPageParam }),
    loadOthers(queryClient, search),
    loadOptions(queryClient, search.filter),
  ])
}

/** What a search for books finds in the journal. Without it the page shows the books. */
async function loadOthers(queryClient: QueryClient, search: BookSearch): Promise<void> {
  const keyword = keywordIn(search.typed)
  if (keyword !== null && !isNarrowed(search.filter))
    await queryClient.ensureQueryData(quickQuery(keyword)).catch(() => undefined)
}

export async function loadArticles(queryClient: QueryClient, search: ArticleSearch): Promise<void> {
  if (keywordIn(search.typed) === null) return
  const query = articlesFor(search)
  const { getNextPageParam } = query
  await queryClient.ensureInfiniteQueryData({ ...query, pages: search.page, getNextPageParam })
}

const given = <K extends string>(name: K, ids: readonly number[]) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is the one it is given
  (ids.length > 0 ? { [name]: [...ids] } : {}) as { [N in K]?: number[] }
