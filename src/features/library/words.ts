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
