import type { BookQuery } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { countIn, idsIn } from '#format/address.ts'
import type { BookKind } from './model.ts'

/** Filters chosen by id, named as in the address. */
export const CHOICES = ['styles', 'categories', 'locations', 'publishers', 'nationalities'] as const
export type Choice = (typeof CHOICES)[number]

/** The filter in a listing's address. Ids are sorted, so that one listing has one address. */
export interface BookFilter extends Readonly<Record<Choice, readonly number[]>> {
  readonly page: number
  readonly itemsPerPage: number
  /** Hours of an audiobook (1 to 9) or pages of an e-book (100 to 900), as one choice. */
  readonly length: number | undefined
}

/** Nine hours mean at most, the others at least (LIST-07). */
export const AUDIO_LENGTHS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
/** Always at least (LIST-08). */
export const PAGE_LENGTHS: readonly number[] = [100, 200, 300, 400, 500, 600, 700, 800, 900]
export const MOST_HOURS = 9

type Search = Readonly<Record<string, unknown>>

type LengthQuery = Pick<BookQuery, 'lengthHours[gte]' | 'lengthHours[lte]' | 'pages[gte]'>

/** A listing's filter as search parameters. */
export type ListingSearch = {
  readonly [name in 'page' | 'itemsPerPage' | `${Choice}[]` | keyof LengthQuery]?: string
}

export function filterOf(search: Search, kind: BookKind): BookFilter {
  return {
    page: countIn(search.page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? PAGE_SIZE.collection, 200),
    styles: idsIn(search['styles[]']),
    categories: idsIn(search['categories[]']),
    locations: idsIn(search['locations[]']),
    publishers: idsIn(search['publishers[]']),
    // Only audiobooks have it (LIST-05).
    nationalities: kind === 'audio_books' ? idsIn(search['nationalities[]']) : [],
    length: lengthIn(search, kind),
  }
}

function lengthIn(search: Search, kind: BookKind): number | undefined {
  if (kind === 'e_books') return oneOf(PAGE_LENGTHS, search['pages[gte]'])
  const most = oneOf(AUDIO_LENGTHS, search['lengthHours[lte]'])
  return most === MOST_HOURS ? most : oneOf(AUDIO_LENGTHS.slice(0, -1), search['lengthHours[gte]'])
}

/** Search parameters of a listing, without default values. */
export const searchOf = (filter: BookFilter, kind: BookKind): ListingSearch => ({
  ...(filter.page > 1 ? { page: String(filter.page) } : {}),
  ...(filter.itemsPerPage === PAGE_SIZE.collection ? {} : { itemsPerPage: String(filter.itemsPerPage) }),
  ...Object.fromEntries(
    CHOICES.flatMap((choice) =>
      filter[choice].length > 0 ? [[`${choice}[]`, filter[choice].join(',')]] : [],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(lengthQuery(filter.length, kind)).map(([name, value]) => [name, String(value)]),
  ),
})

export function queryOf(filter: BookFilter, kind: BookKind): BookQuery {
  const chosen: Partial<BookQuery> = Object.fromEntries(
    CHOICES.flatMap((choice) => (filter[choice].length > 0 ? [[`${choice}[]`, [...filter[choice]]]] : [])),
  )
  const { page, itemsPerPage, length } = filter
  return { page, itemsPerPage, ...chosen, ...lengthQuery(length, kind) }
}

/** LIST-07, LIST-08: nine hours are sent as at most, everything else as at least. */
export function lengthQuery(length: number | undefined, kind: BookKind): LengthQuery {
  if (length === undefined) return {}
  if (kind === 'e_books') return { 'pages[gte]': length }
  return length === MOST_HOURS ? { 'lengthHours[lte]': length } : { 'lengthHours[gte]': length }
}

function oneOf(values: readonly number[], value: unknown): number | undefined {
  const number = Number(value)
  return values.includes(number) ? number : undefined
}

/** The address of a list that only the style buttons narrow. */
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

export const themedAddress = (search: Record<string, unknown>): ListingSearch =>
  themedSearchOf(themedSearch(search))
