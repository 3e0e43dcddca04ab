/** Each word of a sentence as alternatives, and each alternative as the words that a narrator says. */
export type SpokenWord = readonly (readonly string[])[]

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

/** A number in English, as a narrator may say it: 1984 is also “nineteen eighty-four”, 105 is “a hundred and five”. */
export function numberWords(given: string): SpokenWord {
  const isOrdinal = /(?:st|nd|rd|th)$/.test(given)
  const [whole = '', fraction] = given.replaceAll(/,|(?:st|nd|rd|th)$/g, '').split('.')
  const value = Number(whole)
  if (!(value < 1_000_000)) return [digits(whole)]
  const ways = [cardinal(value)]
  if (value >= 1100 && value < 2100 && value % 1000 >= 10) ways.push(year(value))
  if (value >= 100 && String(value).startsWith('1')) ways.push(['a', ...cardinal(value).slice(1)])
  if (fraction) return ways.map((words) => [...words, 'point', ...digits(fraction)])
  return isOrdinal ? ways.map((words) => [...words.slice(0, -1), ordinal(words.at(-1)!)]) : ways
}

const digits = (given: string): string[] => given.split('').map((digit) => SMALL[Number(digit)]!)

function cardinal(value: number): string[] {
  if (value < 20) return [SMALL[value]!]
  if (value < 100) return [TENS[Math.floor(value / 10)]!, ...(value % 10 ? [SMALL[value % 10]!] : [])]
  const [size, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const rest = value % size
  return [
    ...cardinal(Math.floor(value / size)),
    name,
    ...(rest === 0 ? [] : rest < 100 ? ['and', ...cardinal(rest)] : cardinal(rest)),
  ]
}

function year(value: number): string[] {
  const rest = value % 100
  return [
    ...cardinal(Math.floor(value / 100)),
    ...(rest === 0 ? ['hundred'] : rest < 10 ? ['oh', SMALL[rest]!] : cardinal(rest)),
  ]
}

const ordinal = (word: string): string =>
  ORDINALS[word] ?? (word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`)
