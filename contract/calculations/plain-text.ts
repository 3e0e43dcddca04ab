export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim()

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’' }

/** The first sentence of a plain text; if it is very short, the first two. */
export const firstSentence = (text: string): string =>
  /^.{24,}?[.!?](?=\s|$)/su.exec(text.trim())?.[0] ?? text.trim()

/** About the length that search engines show. */
const MOST = 160

/** The start of a page's first paragraph as plain text, cut between two words. */
export function firstWords(html: string): string {
  const [, paragraph = html] = /<p\b[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? []
  const words = plainText(paragraph)
  return words.length <= MOST ? words : `${words.slice(0, MOST).replace(/\W*\s\S*$/, '')}…`
}
