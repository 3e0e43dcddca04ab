import { tellingWords, wordsOf } from '#contract/calculations/search-words.ts'
import type { BookCard } from '#contract/catalogue.ts'
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

/** A text in parts: the words that begin with a word of the keyword, and what is between them. */
export function markedWords(text: string, keyword: string): { words: string; isMarked: boolean }[] {
  const typed = tellingWords(keyword)
  return text.split(/([\p{L}\p{N}'’]+)/u).flatMap((words) => {
    const [word] = wordsOf(words)
    const isMarked = word !== undefined && typed.some((each) => word.startsWith(each))
    return words ? [{ words, isMarked }] : []
  })
}

type Searched = Pick<BookCard, 'title' | 'authors' | 'narrators' | 'category' | 'publisher'>

export const isMarked = (text: string, keyword: string): boolean =>
  markedWords(text, keyword).some((part) => part.isMarked)

/**
 * What else of a found book has a word of the keyword, if neither its title nor its authors have one. Undefined if
 * only its series has, which is a result itself.
 * @param excerpt the part of its text that has one
 */
export function otherMatch(
  { title, authors, narrators, category, publisher }: Searched,
  keyword: string,
  excerpt?: string,
): string | undefined {
  if (isMarked([title, ...authors.map(({ fullName }) => fullName)].join(' '), keyword)) return undefined
  return [
    ...narrators.map(({ fullName }) => `Read by ${fullName}`),
    category?.name ?? '',
    publisher ? `Published by ${publisher.name}` : '',
    excerpt ?? '',
  ].find((text) => isMarked(text, keyword))
}

export interface NamedPerson<B> {
  readonly slug: string
  readonly name: string
  readonly works: 'Author' | 'Narrator' | 'Author and narrator'
  /** Those of the found books that they wrote or narrated. */
  readonly books: readonly B[]
}

/** Authors and narrators of the found books whose name has each word of the keyword, also offline. */
export function peopleNamed<B extends Pick<BookCard, 'authors' | 'narrators'>>(
  books: readonly B[],
  keyword: string,
): NamedPerson<B>[] {
  const typed = tellingWords(keyword)
  const found = new Map<string, NamedPerson<B>>()
  const note = (people: BookCard['authors'], role: 'Author' | 'Narrator', book: B) => {
    for (const { slug, fullName: name } of people) {
      const words = wordsOf(name)
      if (!slug || !typed.every((each) => words.some((word) => word.startsWith(each)))) continue
      const known = found.get(slug)
      const works = known && known.works !== role ? 'Author and narrator' : role
      found.set(slug, { slug, name, works, books: [...new Set([...(known?.books ?? []), book])] })
    }
  }
  for (const book of books) note(book.authors, 'Author', book)
  for (const book of books) note(book.narrators, 'Narrator', book)
  return typed.length > 0 ? [...found.values()] : []
}
