/** Reads the search part of an address, which anybody may have written: a value that can be meant, or nothing. */

/** A value as an address writes it: text, a number, or a list of them; nothing for whatever else it may be. */
export const wordsIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || Array.isArray(value) ? value.toString() : ''

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A whole number from one on. */
export function countIn(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number <= 1_000_000 ? number : undefined
}

/** Ids, each once and sorted, so that one choice has one address. */
export function idsIn(value: unknown): number[] {
  const given = wordsIn(value).split(',')
  const ids = given.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** A path of our own: an address of the shop must not lead to another site. */
export const pathIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

/** The page somebody came from, and is led back to. */
export const fromSearch = (search: Record<string, unknown>): { from?: string | undefined } => ({
  from: pathIn(search.from),
})

/** The number of a list's page. */
export const pageSearch = (search: Record<string, unknown>): { page?: number | undefined } => ({
  page: countIn(search.page),
})
