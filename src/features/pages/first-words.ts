import { plainText } from '#format/plain-text.ts'

/** About as much as search engines show. */
const MOST = 160

/** The start of a page's first paragraph as plain text, cut between two words. */
export function firstWords(html: string): string {
  const [, paragraph = html] = /<p\b[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? []
  const words = plainText(paragraph)
  return words.length <= MOST ? words : `${words.slice(0, MOST).replace(/\W*\s\S*$/, '')}…`
}
