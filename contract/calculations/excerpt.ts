import { plainText } from './plain-text.ts'
import { tellingWords, wordsOf } from './search-words.ts'

/** As long as two lines of a result on a phone. */
const LENGTH = 66
/** The most characters from the beginning of the excerpt of a long sentence to the found word. */
const BEFORE = 34

/**
 * Returns the sentence of an HTML text around the first word that starts with a searched word, as plain text; if it is
 * too long, as many of its clauses as fit, or else a cut between two words. Cuts are marked with "…". Null if there is
 * no such word.
 */
export function excerptOf(html: string, keyword: string): string | null {
  const typed = tellingWords(keyword)
  const text = plainText(html)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
    const [written = ''] = wordsOf(word)
    if (!typed.some((each) => written.startsWith(each))) continue
    const from = text.slice(0, index).replace(/^.*[.?!]['’”)]* (?=\S)/s, '').length
    const sentence = text.slice(index - from).match(/^.*?[.?!]['’”)]*(?=\s|$)|^.*/s)![0]
    return clausesAround(sentence, from)
  }
  return null
}

/** The clause that has the given position, with those after it that fit. */
function clausesAround(sentence: string, at: number): string {
  if (sentence.length <= LENGTH) return sentence
  const before = sentence.slice(0, at)
  const clauseAt = before.replace(/[^,;:–—]*$/, '').length
  const isShort = at - clauseAt <= BEFORE
  const start = isShort ? clauseAt : at - before.slice(-BEFORE).replace(/^\S*\s/, '').length
  const rest = sentence.slice(start).trimStart()
  const fitting = rest.slice(0, LENGTH)
  const clauses = fitting.replace(/[,;:–—](?=\s)(?!.*[,;:–—]\s).*$/s, '')
  const end =
    rest.length <= LENGTH
      ? rest
      : `${clauses.length > at - start && clauses !== fitting ? clauses : fitting.replace(/[^\p{L}\p{N}]*\s\S*$/u, '')}…`
  return start > 0 ? `… ${end}` : end
}

interface Text {
  readonly id: number
  readonly title: string
  /** HTML. */
  readonly body: string
}

/** The excerpts of results whose title has no word of the keyword, by id. */
export const excerptsOf = (texts: readonly Text[], keyword: string): Record<string, string> =>
  Object.fromEntries(
    texts.flatMap(({ id, title, body }) => {
      const excerpt = excerptOf(title, keyword) === null ? excerptOf(body, keyword) : null
      return excerpt === null ? [] : [[id, excerpt]]
    }),
  )
