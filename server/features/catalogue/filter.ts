import { sql, type SQL } from 'drizzle-orm'
import type { BookQuery } from '#contract/catalogue.ts'

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
  readonly minMinutes?: number
  readonly belowMinutes?: number
  readonly minPages?: number
  readonly spiSin?: string
  readonly availableAsCard?: boolean
  readonly secondEdition?: true
  readonly edition?: boolean
  readonly memoir?: boolean
  readonly writersDilemma?: boolean
  /** Published, and not held back by an embargo: fit to be recommended. */
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
    // Both compare the `lengthHours` that is shown, which is whole hours: 9 h 30 min has 9 of them.
    ...(least === undefined ? {} : { minMinutes: least * 60 }),
    ...(most === undefined ? {} : { belowMinutes: (most + 1) * 60 }),
    ...(query['pages[gte]'] === undefined ? {} : { minPages: query['pages[gte]'] }),
    ...(query.spiSIN === undefined ? {} : { spiSin: query.spiSIN }),
    ...(query.availableAsCard === undefined ? {} : { availableAsCard: query.availableAsCard }),
    ...(query.edition === undefined ? {} : { edition: query.edition }),
    ...(query.memoir === undefined ? {} : { memoir: query.memoir }),
    ...(query.writersDilemma === undefined ? {} : { writersDilemma: query.writersDilemma }),
  }
}

/** Sorted and without repeats, so that one choice has one key and one statement. */
export const ids = <K extends string>(name: K, given: readonly number[] | undefined) =>
  (given?.length ? { [name]: [...new Set(given)].sort((a, b) => a - b) } : {}) as { [N in K]?: number[] }

/** The condition on `books b`. Values are always parameters, so a choice of filters is one prepared statement. */
export const condition = (filter: BookFilter): SQL =>
  sql.join([sql`b.format = ${filter.format}`, ...booksFitting(filter)], sql` and `)

/** What narrows books of either format. */
export type Narrowing = Omit<BookFilter, 'format'>

/** The conditions on `books b` but for the format, each for itself. */
export function booksFitting(filter: Narrowing): SQL[] {
  const parts: SQL[] = []
  if (filter.styles) parts.push(among(sql`b.style_id`, filter.styles))
  if (filter.categories) parts.push(among(sql`b.category_id`, filter.categories))
  if (filter.publishers) parts.push(among(sql`b.publisher_id`, filter.publishers))
  if (filter.locations) parts.push(overlaps(sql`b.location_ids`, filter.locations))
  if (filter.nationalities) parts.push(overlaps(sql`b.nationality_ids`, filter.nationalities))
  if (filter.minMinutes !== undefined) parts.push(sql`b.length_minutes >= ${filter.minMinutes}`)
  if (filter.belowMinutes !== undefined) parts.push(sql`b.length_minutes < ${filter.belowMinutes}`)
  if (filter.minPages !== undefined) parts.push(sql`b.pages >= ${filter.minPages}`)
  if (filter.spiSin !== undefined) parts.push(sql`b.spi_sin = ${filter.spiSin}`)
  // Spelt out rather than bound, or the partial indexes could not be used.
  if (filter.availableAsCard !== undefined)
    parts.push(filter.availableAsCard ? sql`b.available_as_card` : sql`not b.available_as_card`)
  if (filter.edition !== undefined) parts.push(filter.edition ? sql`b.edition` : sql`not b.edition`)
  if (filter.memoir !== undefined) parts.push(filter.memoir ? sql`b.memoir` : sql`not b.memoir`)
  if (filter.writersDilemma !== undefined)
    parts.push(filter.writersDilemma ? sql`b.writers_dilemma` : sql`not b.writers_dilemma`)
  if (filter.secondEdition) parts.push(sql`b.second_edition`)
  if (filter.recommendable) parts.push(sql`b.sellable`)
  return parts
}

/** One value is compared by `=`, so that an index on it also gives the order of the list. */
const among = (column: SQL, [first, ...rest]: readonly number[]): SQL =>
  rest.length === 0 ? sql`${column} = ${first}` : sql`${column} = any(${sql.param([first, ...rest])}::int[])`

const overlaps = (column: SQL, values: readonly number[]): SQL =>
  sql`${column} && ${sql.param([...values])}::int[]`
