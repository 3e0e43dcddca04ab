/** What a title can be found by. */
export interface Findable {
  readonly title: string
  /** Authors, narrators, series. */
  readonly names: readonly string[]
  /** The same object as long as nothing of this changes. */
  readonly source: object
}

/**
 * The titles that have every word of what is typed, in their order: the beginning of a word is enough. A word that nothing
 * begins with may have a slip or two, as in the shop's search.
 */
export function findTitles<T extends Findable>(items: readonly T[], typed: string): readonly T[] {
  const query = wordsOf(typed)
  if (query.length === 0) return items
  const known = new Set<string>()
  for (const item of items) for (const word of wordsIn(item).words) known.add(word)
  const exact = query.map((word) => beginningWith(word, known))
  const near = query.map((word, at) => (exact[at]!.size > 0 ? exact[at]! : nearTo(word, known)))
  const found = having(items, query, near)
  // Each word is somewhere, and never together: the one that was meant is near it.
  return found.length > 0
    ? found
    : having(
        items,
        query,
        query.map((word) => nearTo(word, known)),
      )
}

const having = <T extends Findable>(
  items: readonly T[],
  query: readonly string[],
  matches: readonly ReadonlySet<string>[],
): readonly T[] =>
  items.filter((item) => {
    const { words, joined } = wordsIn(item)
    return query.every(
      (typed, at) =>
        words.some((word) => matches[at]!.has(word)) || (typed.length >= JOINED && joined.includes(typed)),
    )
  })

/** Two words written as one: shorter than this it could be a part of any word. */
const JOINED = 5

const beginningWith = (typed: string, known: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...known].filter((word) => word.startsWith(typed)))

/** Short words and numbers are believed. */
function nearTo(typed: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const most = typed.length >= 7 ? 2 : typed.length >= 4 ? 1 : 0
  if (most === 0 || !/^\p{L}+$/u.test(typed)) return beginningWith(typed, known)
  const isNear = (word: string) =>
    word.startsWith(typed) ||
    slipsBetween(typed, word, most) <= most ||
    // Still being typed.
    (word.length > typed.length && slipsBetween(typed, word.slice(0, typed.length), most) <= most)
  return new Set([...known].filter(isNear))
}

interface Words {
  readonly words: readonly string[]
  readonly joined: string
}

const remembered = new WeakMap<object, Words>()

function wordsIn({ title, names, source }: Findable): Words {
  let words = remembered.get(source)
  if (!words) {
    words = { words: wordsOf([title, ...names].join(' ')), joined: wordsOf(title).join('') }
    remembered.set(source, words)
  }
  return words
}

/** The words of a text as a search knows them: in lower case, without accents and apostrophes. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’ʼ`]/gu, '')
    .replaceAll(/[ßæœøłđðþıħŧ]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** What a title is sorted by: its words, without the article. */
export function sortKey(text: string): string {
  const [first, ...rest] = wordsOf(text)
  return (rest.length > 0 && /^(?:the|an?)$/.test(first!) ? rest : [first ?? '', ...rest]).join(' ')
}

/**
 * The slips of the hand between two words: a letter too many, one missing, another one, or two swapped. Stops counting
 * beyond `most` and answers a larger number.
 */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    let least = row
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      let slips = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && swapped) slips = Math.min(slips, beforeLast[column - 2]! + 1)
      line.push(slips)
      least = Math.min(least, slips)
    }
    if (least > most) return most + 1
    beforeLast = last
    last = line
  }
  return last[other.length]!
}

/** Letters that are no letter with a mark to Unicode, and are one to whoever types without them. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't' },
}
