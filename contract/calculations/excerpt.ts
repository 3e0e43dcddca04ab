import { plainText } from './plain-text.ts'
import { tellingWords, wordsOf } from './search-words.ts'

/** The most characters before the found word, and from it to the end of the excerpt. */
const BEFORE = 26
const FROM = 42

/**
 * Returns the part of an HTML text around the first word that starts with a searched word, as plain text. Cuts are
 * marked with "…". Null if there is no such word.
 */
export function excerptOf(html: string, keyword: string): string | null {
  const typed = tellingWords(keyword)
  const text = plainText(html)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
    const [written = ''] = wordsOf(word)
    if (!typed.some((each) => written.startsWith(each))) continue
    const before = text.slice(0, index)
    const sentence = before.replace(/^.*[.?!] (?=\S)/s, '')
    const start = sentence.length <= BEFORE ? sentence : `… ${sentence.slice(-BEFORE).replace(/^\S*\s/, '')}`
    const rest = text.slice(index)
    return (
      start + (rest.length <= FROM ? rest : `${rest.slice(0, FROM).replace(/[^\p{L}\p{N}]*\s\S*$/u, '')}…`)
    )
  }
  return null
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
