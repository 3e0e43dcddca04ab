/**
 * The words of a text for the search: in lower case, without accents, marks and apostrophes. Documents and queries are
 * both normalised here, so that results do not depend on a database's locale.
 */
export const wordsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}'’ʼ`]/gu, '')
      .replaceAll(/[ßæœøłđðþıħŧ]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => (word.length > LONGEST ? Array.from(word).slice(0, LONGEST).join('') : word))

export const wordsOfHtml = (html: string): string[] => wordsOf(html.replaceAll(/<[^>]*>|&#?\w+;/g, ' '))

/** A whole title as one word without its article, to match an exact title. */
export function titleKey(words: readonly string[]): string {
  const [first, ...rest] = words
  const named = rest.length > 0 && ARTICLES.has(first!) ? rest : words
  return `=${named.join(' ').slice(0, LONGEST_KEY)}`
}

/** A stop word: ignored if the query has other words. */
export const isSmallWord = (word: string): boolean => SMALL_WORDS.has(word)

/** The words of a keyword without stop words, unless it has no others. */
export function tellingWords(keyword: string): readonly string[] {
  const all = wordsOf(keyword)
  const telling = all.filter((word) => !isSmallWord(word))
  return telling.length > 0 ? telling : all
}

// A lexeme has at most 2 kB in PostgreSQL.
const LONGEST = 40
const LONGEST_KEY = 300

const ARTICLES = new Set(['the', 'a', 'an'])
const SMALL_WORDS = new Set([
  ...ARTICLES,
  ...'and or of in on at to for by with from s'.split(' '),
  // Every title in the shop matches these.
  ...'audiobook audiobooks ebook ebooks'.split(' '),
])

/** Letters that Unicode does not decompose, and their ASCII spelling. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
}
