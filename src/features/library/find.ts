interface Findable {
  readonly title: string
  /** Names of authors, narrators and series. */
  readonly names: readonly string[]
  /** The same object while the other fields don't change: the cache key. */
  readonly source: object
}

/**
 * Titles that contain every typed word or prefix, in their order. A word without a match may have one or two
 * typos, as in the shop's search.
 */
export function findTitles<T extends Findable>(items: readonly T[], typed: string): readonly T[] {
  const query = wordsOf(typed)
  if (query.length === 0) return items
  const known = new Set<string>()
  for (const item of items) for (const word of wordsIn(item).words) known.add(word)
  const exact = query.map((word) => beginningWith(word, known))
  const near = query.map((word, at) => (exact[at]!.size > 0 ? exact[at]! : nearTo(word, known)))
  const found = having(items, query, near)
  // Each word occurs, but in no single title: also try similar words.
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

/** Shortest text that may match two words written as one. */
const JOINED = 5

const beginningWith = (typed: string, known: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...known].filter((word) => word.startsWith(typed)))

/**
 * Words within the allowed distance: two typos from seven letters on, one from four, none in shorter ones.
 */
function nearTo(typed: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const most = typed.length >= 7 ? 2 : typed.length >= 4 ? 1 : 0
  if (most === 0 || !/^\p{L}+$/u.test(typed)) return beginningWith(typed, known)
  const isNear = (word: string) =>
    word.startsWith(typed) ||
    slipsBetween(typed, word, most) <= most ||
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

/** Words for search: lower case, without accents and apostrophes. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’ʼ`]/gu, '')
    .replaceAll(/[ßæœøłđðþıħŧ]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The title's words without the article. */
export function sortKey(text: string): string {
  const [first, ...rest] = wordsOf(text)
  return (rest.length > 0 && /^(?:the|an?)$/.test(first!) ? rest : [first ?? '', ...rest]).join(' ')
}

/**
 * Edit distance of two words, counting swapped neighbours as one edit. Returns a number above `most` as soon
 * as it is exceeded.
 */
function slipsBetween(one: string, other: string, most: number): number {
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

/** Letters that Unicode does not decompose, with their usual spelling on other keyboards. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't' },
}
