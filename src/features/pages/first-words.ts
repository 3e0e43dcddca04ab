import { plainText } from '#format/plain-text.ts'

/** About what a search engine shows of a page. */
const MOST = 160

/** A page's first paragraph without its marks, cut between two words: what it says of itself where it is listed. */
export function firstWords(html: string): string {
  const [, paragraph = html] = /<p\b[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? []
  const words = plainText(paragraph)
  return words.length <= MOST ? words : `${words.slice(0, MOST).replace(/\W*\s\S*$/, '')}…`
}
