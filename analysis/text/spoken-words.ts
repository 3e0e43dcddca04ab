import { numberWords, type SpokenWord } from './number-words.ts'

const WORD = /\p{L}[\p{L}\p{M}]*(?:['’][\p{L}\p{M}]+)*|\d[\d,.]*\d(?:st|nd|rd|th)?|\d(?:st|nd|rd|th)?/gu

const SHORT: Readonly<Record<string, SpokenWord>> = {
  mr: [['mister']],
  mrs: [['missus'], ['misses']],
  ms: [['miz']],
  dr: [['doctor'], ['drive']],
  st: [['saint'], ['street']],
  prof: [['professor']],
  rev: [['reverend']],
  capt: [['captain']],
  etc: [['et', 'cetera']],
  vs: [['versus']],
}

/** The words of a sentence, in lower case and without punctuation. */
export function spokenWords(sentence: string, language: string): SpokenWord[] {
  const isEnglish = language.startsWith('en')
  return [...sentence.matchAll(WORD)].flatMap(([given]) => {
    const word = given.toLowerCase().replaceAll('’', "'")
    if (/^\d/.test(word)) return isEnglish ? [numberWords(word)] : []
    const known = isEnglish && Object.hasOwn(SHORT, word) ? SHORT[word] : undefined
    return [known ?? [[word]]]
  })
}
