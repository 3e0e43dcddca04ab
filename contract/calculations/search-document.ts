import { titleKey, wordsOf, wordsOfHtml } from './search-words.ts'

export interface Document {
  readonly id: number
  readonly title: string
  /** Authors, narrators, translator. */
  readonly people: string
  /** Tags, publisher, style, category, keywords. */
  readonly subjects: string
  /** HTML. */
  readonly body: string
}

/** The document as a `tsvector` literal: each word once, with its highest weight. */
export const vectorOf = (document: Document): string =>
  [...weightedWords(document)].map(([word, weight]) => `'${word}'${WEIGHTS[weight]}`).join(' ')

/**
 * `key` is the whole title as one word (`titleKey`). It has no position, so PostgreSQL matches it with every weight.
 */
export type Weight = 'key' | 'A' | 'B' | 'C' | 'D'

// A position without a letter has weight D.
const WEIGHTS: Readonly<Record<Weight, string>> = { key: '', A: ':1A', B: ':1B', C: ':1C', D: ':1' }

/** Each word once with its highest weight, in the order title, people, subjects, body. */
export function weightedWords({ title, people, subjects, body }: Omit<Document, 'id'>): Map<string, Weight> {
  const titleWords = wordsOf(title)
  const best = new Map<string, Weight>([[titleKey(titleWords), 'key']])
  const add = (words: readonly string[], weight: Weight) => {
    for (const word of words) if (!best.has(word)) best.set(word, weight)
  }
  add(titleWords, 'A')
  add(wordsOf(people), 'B')
  add(wordsOf(subjects), 'C')
  add(wordsOfHtml(body), 'D')
  return best
}

/** Candidates for spelling corrections: the words of titles, names and subjects. */
export const namingWords = ({
  title,
  people,
  subjects,
}: Pick<Document, 'title' | 'people' | 'subjects'>): Set<string> =>
  new Set(
    wordsOf(`${title} ${people} ${subjects}`).filter((word) => word.length >= 3 && /^\p{L}+$/u.test(word)),
  )
