/** About what a search engine shows of a page. */
const MOST = 160

/** A page's first paragraph without its marks, cut between two words: what it says of itself where it is listed. */
export function firstWords(html: string): string {
  const [, paragraph = html] = /<p\b[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? []
  const words = paragraph
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim()
  return words.length <= MOST ? words : `${words.slice(0, MOST).replace(/\W*\s\S*$/, '')}…`
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’' }
