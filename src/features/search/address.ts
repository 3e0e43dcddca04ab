import { filterOf, searchOf, type BookFilter, type ListingSearch } from '#features/catalogue/filter.ts'
import { wordsIn, countIn } from '#format/address.ts'
import { sortIn, type Sort, kindsIn, type Kind } from './model.ts'

/** The filter's page is the number of pages shown. */
export interface BookSearch {
  readonly typed: string
  readonly sort: Sort
  readonly filter: BookFilter
}

// Length and nationality are filters of audiobooks; the search offers them for both formats (OP-25).
const KIND = 'audio_books'

export const bookSearch = (search: Record<string, unknown>): BookSearch => ({
  typed: typedIn(search),
  sort: sortIn(search.sort),
  filter: { ...filterOf(search, KIND), itemsPerPage: filterOf({}, KIND).itemsPerPage },
})

export interface KeywordAddress {
  readonly keyword?: string
  readonly sort?: string
  readonly direction?: 'asc'
}

export const bookSearchAddress = ({ typed, sort, filter }: BookSearch): KeywordAddress & ListingSearch => ({
  ...(typed ? { keyword: typed } : {}),
  ...(sort === 'name' ? { sort, direction: 'asc' } : {}),
  ...searchOf(filter, KIND),
})

const typedIn = ({ keyword }: Record<string, unknown>): string => wordsIn(keyword).slice(0, 200)

export interface ArticleSearch {
  readonly typed: string
  readonly sort: Sort
  readonly kinds: readonly Kind[]
  readonly page: number
}

export const articleSearch = (search: Record<string, unknown>): ArticleSearch => ({
  typed: typedIn(search),
  sort: sortIn(search.sort),
  kinds: kindsIn(search.types),
  page: countIn(search._page) ?? 1,
})

type ArticleAddress = KeywordAddress & { readonly types?: string; readonly _page?: string }

export const articleSearchAddress = ({ typed, sort, kinds, page }: ArticleSearch): ArticleAddress => ({
  ...(typed ? { keyword: typed } : {}),
  ...(sort === 'name' ? { sort, direction: 'asc' } : {}),
  ...(kinds.length > 0 ? { types: kinds.join(',') } : {}),
  ...(page > 1 ? { _page: String(page) } : {}),
})
