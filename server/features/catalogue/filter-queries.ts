import { sql, type SQL } from 'drizzle-orm'
import type { BookFilter, Narrowing } from '#contract/calculations/book-filter.ts'

/** Nearly all values are bound parameters, so that each combination of filters is one prepared statement. */
export const condition = (filter: BookFilter): SQL =>
  sql.join([sql`b.format = ${filter.format}`, inLists(filter), ...booksFitting(filter)], sql` and `)

/** With `spiSin` the reader holds a card of this number, which also redeems a title that is no longer sold. */
const inLists = ({ spiSin }: BookFilter): SQL =>
  spiSin === undefined ? sql`b.sellable is not null` : sql`coalesce(b.state_by_command, b.state) <> 'draft'`

export function booksFitting(filter: Narrowing): SQL[] {
  const parts: SQL[] = []
  if (filter.styles) parts.push(among(sql`b.style_id`, filter.styles))
  if (filter.categories) parts.push(among(sql`b.category_id`, filter.categories))
  if (filter.publishers) parts.push(among(sql`b.publisher_id`, filter.publishers))
  if (filter.locations) parts.push(overlaps(sql`b.location_ids`, filter.locations))
  if (filter.nationalities) parts.push(overlaps(sql`b.nationality_ids`, filter.nationalities))
  if (filter.series)
    parts.push(
      sql`b.id in (select bs.book_id from book_series bs where bs.series_id = any(${sql.param([...filter.series])}::int[]))`,
    )
  if (filter.authors) parts.push(by('author', filter.authors))
  if (filter.narrators) parts.push(by('narrator', filter.narrators))
  if (filter.minMinutes !== undefined) parts.push(sql`b.length_minutes >= ${filter.minMinutes}`)
  if (filter.belowMinutes !== undefined) parts.push(sql`b.length_minutes < ${filter.belowMinutes}`)
  if (filter.minPages !== undefined) parts.push(sql`b.pages >= ${filter.minPages}`)
  if (filter.spiSin !== undefined) parts.push(sql`b.spi_sin = ${filter.spiSin}`)
  // Literals instead of parameters: otherwise PostgreSQL could not use the partial indexes.
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

/** `=` for a single value: then an index on the column also provides the order of the list. */
const among = (column: SQL, [first, ...rest]: readonly number[]): SQL =>
  rest.length === 0 ? sql`${column} = ${first}` : sql`${column} = any(${sql.param([first, ...rest])}::int[])`

const by = (role: 'author' | 'narrator', people: readonly number[]): SQL =>
  sql`b.id in (select bp.book_id from book_people bp
    where bp.person_id = any(${sql.param([...people])}::int[]) and bp.role = ${role})`

const overlaps = (column: SQL, values: readonly number[]): SQL =>
  sql`${column} && ${sql.param([...values])}::int[]`
