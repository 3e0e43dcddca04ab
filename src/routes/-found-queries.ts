import { keywordIn } from '#features/search/model.ts'
import { foundArticlesQuery, foundBooksQuery } from '#features/search/queries.ts'
import type { ArticleSearch } from './-article-search.ts'
import type { BookSearch } from './-book-search.ts'

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

const given = <K extends string>(name: K, ids: readonly number[]) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is the one it is given
  (ids.length > 0 ? { [name]: [...ids] } : {}) as { [N in K]?: number[] }
