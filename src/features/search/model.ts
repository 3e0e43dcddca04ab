import { wordsIn } from '#format/address.ts'

/** SEARCH-01. */
const SHORTEST_KEYWORD = 3

/** SEARCH-02. */
export const SETTLED_AFTER_MS = 400

/** The keyword to send; null if it is too short. */
export function keywordIn(typed: unknown): string | null {
  const keyword = wordsIn(typed).trim().slice(0, LONGEST_KEYWORD)
  return Array.from(keyword).length >= SHORTEST_KEYWORD ? keyword : null
}
const LONGEST_KEYWORD = 200

export type Sort = 'relevance' | 'name'

/** SEARCH-09. */
export const sortIn = (value: unknown): Sort => (value === 'name' ? 'name' : 'relevance')

/** `id` as in the address and the API. */
export const KINDS = [
  { id: 'articles', label: 'Articles' },
  { id: 'interviews', label: 'Podcasts' },
  { id: 'discussions', label: 'Events' },
] as const
export type Kind = (typeof KINDS)[number]['id']

/** In a fixed order, so that one choice has one address. */
export function kindsIn(value: unknown): Kind[] {
  const given = wordsIn(value).split(',')
  return KINDS.flatMap(({ id }) => (given.includes(id) ? [id] : []))
}

export const toggledKind = (kinds: readonly Kind[], kind: Kind): Kind[] =>
  kindsIn(kinds.includes(kind) ? kinds.filter((other) => other !== kind).join() : [...kinds, kind].join())

export const SORTS: readonly { id: Sort; label: string }[] = [
  { id: 'relevance', label: 'Relevance' },
  { id: 'name', label: 'Name' },
]
