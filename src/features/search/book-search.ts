import { filterOf, searchOf, type BookFilter, type ListingSearch } from '#features/catalogue/filter.ts'
import { sortIn, type Sort } from './model.ts'
import { wordsIn } from '#format/address.ts'

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

export const addressOf = ({ typed, sort, filter }: BookSearch): KeywordAddress & ListingSearch => ({
  ...(typed ? { keyword: typed } : {}),
  ...(sort === 'name' ? { sort, direction: 'asc' } : {}),
  ...searchOf(filter, KIND),
})

export const typedIn = ({ keyword }: Record<string, unknown>): string => wordsIn(keyword).slice(0, 200)
