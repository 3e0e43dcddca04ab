import { wordsIn } from '#format/address.ts'

/** A search begins with three characters (SEARCH-01). */
export const SHORTEST_KEYWORD = 3

/** Somebody must have stopped typing for this long (SEARCH-02). */
export const SETTLED_AFTER_MS = 400

/** The part of the typed text that is sent; null where it is too short to be looked for. */
export function keywordIn(typed: unknown): string | null {
  const keyword = wordsIn(typed).trim().slice(0, LONGEST_KEYWORD)
  return Array.from(keyword).length >= SHORTEST_KEYWORD ? keyword : null
}
const LONGEST_KEYWORD = 200

export type Sort = 'relevance' | 'name'

/** By relevance unless names are asked for (SEARCH-09). */
export const sortIn = (value: unknown): Sort => (value === 'name' ? 'name' : 'relevance')

/** The kinds of writings as the address and the server call them, with what they are called on the screen. */
export const KINDS = [
  { id: 'articles', label: 'Articles' },
  { id: 'interviews', label: 'Podcasts' },
  { id: 'discussions', label: 'Events' },
] as const
export type Kind = (typeof KINDS)[number]['id']

/** In one order, so that one choice has one address. */
export function kindsIn(value: unknown): Kind[] {
  const given = wordsIn(value).split(',')
  return KINDS.flatMap(({ id }) => (given.includes(id) ? [id] : []))
}

export const toggledKind = (kinds: readonly Kind[], kind: Kind): Kind[] =>
  kindsIn(kinds.includes(kind) ? kinds.filter((other) => other !== kind).join() : [...kinds, kind].join())

/** In the order in which they are offered. */
export const SORTS: readonly { id: Sort; label: string }[] = [
  { id: 'relevance', label: 'Relevance' },
  { id: 'name', label: 'Name' },
]
