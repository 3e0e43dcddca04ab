/**
 * The words of a text as the search knows them: in lower case, without accents, marks and apostrophes. Both what
 * is searched and what is typed come through here, so that neither database's idea of a letter matters.
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

/** The words that can be read in sanitised HTML. */
export const wordsOfHtml = (html: string): string[] => wordsOf(html.replaceAll(/<[^>]*>|&#?\w+;/g, ' '))

/** A whole title as one word, without its article: what an exact title is known by. */
export function titleKey(words: readonly string[]): string {
  const [first, ...rest] = words
  const named = rest.length > 0 && ARTICLES.has(first!) ? rest : words
  return `=${named.join(' ').slice(0, LONGEST_KEY)}`
}

/** Says little of a title: not asked for where another word is. */
export const isSmallWord = (word: string): boolean => SMALL_WORDS.has(word)

// A lexeme has at most 2 kB in PostgreSQL.
const LONGEST = 40
const LONGEST_KEY = 300

const ARTICLES = new Set(['the', 'a', 'an'])
const SMALL_WORDS = new Set([
  ...ARTICLES,
  ...'and or of in on at to for by with from s'.split(' '),
  // In a shop of nothing else.
  ...'audiobook audiobooks ebook ebooks'.split(' '),
])

/** Letters that are no letter with a mark to Unicode, and are one to whoever types without them. */
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
