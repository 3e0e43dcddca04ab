/** Parsers for query parameters, which users can edit: they return a valid value or nothing. */

/** A query value as text: a string, a number or a list of them; empty for other types. */
export const wordsIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || Array.isArray(value) ? value.toString() : ''

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export function countIn(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number <= 1_000_000 ? number : undefined
}

/** Unique sorted ids, so that one selection has one URL. */
export function idsIn(value: unknown): number[] {
  const given = wordsIn(value).split(',')
  const ids = given.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** A path of our own: a redirect must not lead to another site. */
const pathIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

export const fromSearch = (search: Record<string, unknown>): { from?: string | undefined } => ({
  from: pathIn(search.from),
})

export const pageSearch = (search: Record<string, unknown>): { page?: number | undefined } => ({
  page: countIn(search.page),
})
