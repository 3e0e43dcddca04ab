import type { QueryClient } from '@tanstack/react-query'
import { loadOptions } from '#features/catalogue/filter-options.ts'
import { keywordIn } from './model.ts'
import { foundArticlesQuery, foundBooksQuery } from './queries.ts'
import type { ArticleSearch } from './article-search.ts'
import type { BookSearch } from './book-search.ts'

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

// The pages that were loaded when the address was written are loaded again, so that Back returns to the same place
// in the list.

export async function loadBooks(queryClient: QueryClient, search: BookSearch): Promise<void> {
  const query = booksFor(search)
  const { getNextPageParam } = query
  await Promise.all([
    keywordIn(search.typed) !== null &&
      queryClient.ensureInfiniteQueryData({ ...query, pages: search.filter.page, getNextPageParam }),
    loadOptions(queryClient, search.filter),
  ])
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
