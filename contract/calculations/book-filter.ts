import type { BookQuery } from '../catalogue.ts'
import type { QueryOf } from '../endpoint.ts'
import type { searchBooks } from '../search.ts'

export type Format = 'audio_book' | 'e_book'

/** A filter on a list of books. Absent means any; so does an empty list. */
export interface BookFilter {
  readonly format: Format
  readonly styles?: readonly number[]
  readonly categories?: readonly number[]
  readonly locations?: readonly number[]
  readonly publishers?: readonly number[]
  /** Of an author. */
  readonly nationalities?: readonly number[]
  readonly series?: readonly number[]
  /** Ids of authors or narrators. */
  readonly authors?: readonly number[]
  readonly narrators?: readonly number[]
  readonly minMinutes?: number
  readonly belowMinutes?: number
  readonly minPages?: number
  readonly spiSin?: string
  readonly availableAsCard?: boolean
  readonly secondEdition?: true
  readonly edition?: boolean
  readonly memoir?: boolean
  readonly writersDilemma?: boolean
  readonly inStep?: boolean
  /** Published and not under an embargo, so it can be recommended. */
  readonly recommendable?: true
}

export function filterOf(format: Format, query: BookQuery): BookFilter {
  const least = query['lengthHours[gte]']
  const most = query['lengthHours[lte]']
  return {
    format,
    ...ids('styles', query['styles[]']),
    ...ids('categories', query['categories[]']),
    ...ids('locations', query['locations[]']),
    ...ids('publishers', query['publishers[]']),
    ...ids('nationalities', query['nationalities[]']),
    ...ids('series', query['series[]']),
    ...ids('authors', query['authors[]']),
    ...ids('narrators', query['narrators[]']),
    // Both compare the displayed `lengthHours`, which is rounded down: 9 h 30 min counts as 9.
    ...(least === undefined ? {} : { minMinutes: least * 60 }),
    ...(most === undefined ? {} : { belowMinutes: (most + 1) * 60 }),
    ...(query['pages[gte]'] === undefined ? {} : { minPages: query['pages[gte]'] }),
    ...(query.spiSIN === undefined ? {} : { spiSin: query.spiSIN }),
    ...(query.availableAsCard === undefined ? {} : { availableAsCard: query.availableAsCard }),
    ...(query.edition === undefined ? {} : { edition: query.edition }),
    ...(query.memoir === undefined ? {} : { memoir: query.memoir }),
    ...(query.writersDilemma === undefined ? {} : { writersDilemma: query.writersDilemma }),
    ...(query.inStep === undefined ? {} : { inStep: query.inStep }),
  }
}

/** Sorted and unique, so that equal filters share a cache key and an SQL statement. */
export const ids = <K extends string>(name: K, given: readonly number[] | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key, the given one
  (given?.length ? { [name]: [...new Set(given)].sort((a, b) => a - b) } : {}) as { [N in K]?: number[] }

export type Narrowing = Omit<BookFilter, 'format'>

/** OP-58: nine hours is a maximum, every other length a minimum, as in the listings. */
export function searchFilterOf(query: QueryOf<typeof searchBooks>): Narrowing {
  const { lengthHours: hours, pagesMinimum } = query
  return {
    ...ids('styles', query.styles),
    ...ids('categories', query.categories),
    ...ids('locations', query.locations),
    ...ids('publishers', query.publishers),
    ...ids('nationalities', query.authorsNationality),
    ...(hours === undefined
      ? {}
      : hours === MOST_HOURS
        ? { belowMinutes: (hours + 1) * 60 }
        : { minMinutes: hours * 60 }),
    ...(pagesMinimum === undefined ? {} : { minPages: pagesMinimum }),
  }
}
const MOST_HOURS = 9
