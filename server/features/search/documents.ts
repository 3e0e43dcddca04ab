import { titleKey, wordsOf, wordsOfHtml } from './words.ts'

/** The text of a book or an article that is searched. */
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

/** The document as the text of a `tsvector`: each word once, with the weight of the best place it has. */
export function vectorOf({ title, people, subjects, body }: Document): string {
  const titleWords = wordsOf(title)
  const best = new Map<string, string>([[titleKey(titleWords), '']])
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) if (!best.has(word)) best.set(word, weight)
  }
  add(titleWords, ':1A')
  add(wordsOf(people), ':1B')
  add(wordsOf(subjects), ':1C')
  // Without a place PostgreSQL takes a word for one of any weight.
  add(wordsOfHtml(body), ':1')
  return [...best].map(([word, weight]) => `'${word}'${weight}`).join(' ')
}

/** Words that a misspelt one may have meant: of titles, names and subjects. */
export const namingWords = ({ title, people, subjects }: Document): Set<string> =>
  new Set(
    wordsOf(`${title} ${people} ${subjects}`).filter((word) => word.length >= 3 && /^\p{L}+$/u.test(word)),
  )
