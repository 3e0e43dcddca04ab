import { PAGE_SIZE } from '#contract/limits.ts'
import { filterOf, searchOf, type ListingSearch } from './filter.ts'

/** The search part of the address of a browse-like page. */
export interface ThemedSearch {
  readonly page: number
  readonly itemsPerPage: number
  readonly styles: readonly number[]
}

export function themedSearch(search: Record<string, unknown>): ThemedSearch {
  const { page, itemsPerPage, styles } = filterOf(search, 'audio_books')
  return { page, itemsPerPage, styles }
}

export const themedSearchOf = ({ page, itemsPerPage, styles }: ThemedSearch): ListingSearch =>
  searchOf(
    { ...filterOf({}, 'audio_books'), page, itemsPerPage: itemsPerPage || PAGE_SIZE.collection, styles },
    'audio_books',
  )
