import { countIn } from '#format/address.ts'
import { kindsIn, sortIn, type Kind, type Sort } from './model.ts'
import { type KeywordAddress, typedIn } from './book-search.ts'

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

export const addressOf = ({ typed, sort, kinds, page }: ArticleSearch): ArticleAddress => ({
  ...(typed ? { keyword: typed } : {}),
  ...(sort === 'name' ? { sort, direction: 'asc' } : {}),
  ...(kinds.length > 0 ? { types: kinds.join(',') } : {}),
  ...(page > 1 ? { _page: String(page) } : {}),
})
