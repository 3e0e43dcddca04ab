import { isSmallWord, titleKey, wordsOf } from './search-words.ts'

/** A search as PostgreSQL text queries: one selects the results, the others rank them. */
export interface TextQuery {
  readonly words: readonly string[]
  /** Matches all words by prefix. */
  readonly found: string
  /** From the highest rank to the lowest; results that match no tier come last. */
  readonly tiers: readonly string[]
}

/** Null for a keyword of two characters or fewer, and for one without a letter or a number (SEARCH-01). */
export function textQuery(keyword: string): TextQuery | null {
  if (Array.from(keyword.trim()).length <= SHORTEST_UNSEARCHED) return null
  const typed = wordsOf(keyword).slice(0, MOST_WORDS)
  return typed.length === 0 ? null : queryOf(typed)
}

/** @param typed at least one word from `wordsOf` */
export function queryOf(typed: readonly string[]): TextQuery {
  const words = asked(typed)
  const whole = (weights: string) => all(words, (word) => `'${word}':${weights}`)
  const exactly = (word: string, weights: string) => `'${word}'${weights && `:${weights}`}`
  const begun = (weights: string) =>
    all(words, (word) => {
      if (word.length === 1) return exactly(word, weights)
      const beginning = `'${stem(word)}':*${weights}`
      const other = otherNumber(word)
      return other ? `(${beginning} | ${exactly(other, weights)})` : beginning
    })
  const key = titleKey(typed)
  return {
    words: typed,
    found: begun(''),
    // Title (A) before people (B) before tags and publisher (C) before the summary.
    tiers: [
      `'${key}'`,
      `'${key} ':*`,
      whole('A'),
      `'${key}':*`,
      begun('A'),
      whole('AB'),
      begun('AB'),
      begun('ABC'),
    ],
  }
}

const SHORTEST_UNSEARCHED = 2
/** Limits the cost of a query. */
const MOST_WORDS = 8

/** Drops stop words and a single letter at the end (a word being typed), unless nothing else remains. */
function asked(typed: readonly string[]): readonly string[] {
  const telling = typed.filter(
    (word, index) => !isSmallWord(word) && (word.length > 1 || index < typed.length - 1),
  )
  return telling.length > 0 ? [...new Set(telling)] : [...new Set(typed)]
}

/** The stem of a plural, whose prefix search also matches the singular. */
function stem(word: string): string {
  if (word.length <= 4) return word
  return /(?:ch|sh|ss|x|z)es$/.test(word) ? word.slice(0, -2) : /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** The other number of words such as story and stories, where neither is a prefix of the other. */
function otherNumber(word: string): string | null {
  if (word.length <= 4) return null
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : null
}

const all = (words: readonly string[], each: (word: string) => string) => words.map(each).join(' & ')
