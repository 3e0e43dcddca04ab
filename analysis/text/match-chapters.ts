import type { EpubText, TextSentence } from './epub-text.ts'
import { spokenWords } from './spoken-words.ts'

export interface SoundChapter {
  readonly number: number
  readonly title: string
  readonly durationMs: number
}

export interface MatchedChapter {
  readonly number: number
  /** More than the chapter itself where its start is only guessed by length. */
  readonly sentences: readonly TextSentence[]
  readonly isGuessed: boolean
}

/** A stretch of text from one heading to the next. */
interface Unit {
  readonly heading: string
  readonly sentences: readonly TextSentence[]
}

/** Share of the neighbouring text that a chapter without a heading also searches. */
const MARGIN = 0.25

/**
 * Which part of the text each chapter of the sound reads: by headings in the same order, and in between by length. The
 * aligner finds the exact start by the first words.
 */
export function matchChapters(text: EpubText, chapters: readonly SoundChapter[]): MatchedChapter[] {
  const units = text.sections.flatMap(({ sentences }) => unitsOf(sentences))
  const starts = headingMatches(chapters, units)
  const flat = units.flatMap(({ sentences }) => sentences)
  const unitStarts = units.map((_, index) =>
    units.slice(0, index).reduce((sum, unit) => sum + unit.sentences.length, 0),
  )
  const known = starts.map((unit) => (unit === undefined ? undefined : unitStarts[unit]!))
  return chapters.map(({ number }, index) => {
    const own = known[index]
    const after = index + 1 < chapters.length ? known[index + 1] : flat.length
    if (own !== undefined && after !== undefined)
      return { number, sentences: flat.slice(own, after), isGuessed: false }
    const [from, to] = guessedRange(chapters, known, index, flat)
    return { number, sentences: flat.slice(from, to), isGuessed: true }
  })
}

function unitsOf(sentences: readonly TextSentence[]): Unit[] {
  const units: { heading: string; sentences: TextSentence[] }[] = []
  let wasHeading = false
  for (const sentence of sentences) {
    const last = units.at(-1)
    if (!last || (sentence.isHeading && !wasHeading))
      units.push({ heading: sentence.isHeading ? sentence.words : '', sentences: [sentence] })
    else {
      if (sentence.isHeading) last.heading += ` ${sentence.words}`
      last.sentences.push(sentence)
    }
    wasHeading = sentence.isHeading
  }
  return units
}

/** The longest sequence of chapters whose headings come in the same order in the text. */
function headingMatches(chapters: readonly SoundChapter[], units: readonly Unit[]): (number | undefined)[] {
  const titles = chapters.map(({ title }) => comparable(title))
  const headings = units.map(({ heading }) => comparable(heading))
  const best = Array.from({ length: chapters.length + 1 }, () => new Float64Array(units.length + 1))
  for (let c = chapters.length - 1; c >= 0; c--)
    for (let u = units.length - 1; u >= 0; u--)
      best[c]![u] = Math.max(
        best[c + 1]![u]!,
        best[c]![u + 1]!,
        similarity(titles[c]!, headings[u]!) + best[c + 1]![u + 1]!,
      )
  const found: (number | undefined)[] = chapters.map(() => undefined)
  for (let c = 0, u = 0; c < chapters.length && u < units.length;) {
    const gain = similarity(titles[c]!, headings[u]!)
    if (gain > 0 && best[c]![u] === gain + best[c + 1]![u + 1]!) found[c++] = u++
    else if (best[c]![u] === best[c]![u + 1]) u++
    else c++
  }
  return found
}

/** “Chapter 5: The Roost” and “V. The roost” differ; “Chapter Five” and “Chapter 5” do not. */
const comparable = (heading: string): string =>
  spokenWords(heading, 'en')
    .map((ways) => ways[0]!.join(' '))
    .filter((word) => !/^(?:chapter|part|book)$/.test(word))
    .join(' ')

function similarity(title: string, heading: string): number {
  if (title === '' || heading === '') return 0
  if (title === heading) return 2
  return ` ${heading} `.includes(` ${title} `) || ` ${title} `.includes(` ${heading} `) ? 1 : 0
}

function guessedRange(
  chapters: readonly SoundChapter[],
  known: readonly (number | undefined)[],
  index: number,
  flat: readonly TextSentence[],
): [number, number] {
  let first = index
  while (first > 0 && known[first] === undefined) first--
  let last = index + 1
  while (last < chapters.length && known[last] === undefined) last++
  const from = known[first] ?? 0
  const to = known[last] ?? flat.length
  const durations = chapters.slice(first, last).map(({ durationMs }) => durationMs)
  const all = durations.reduce((sum, each) => sum + each, 0)
  const before = durations.slice(0, index - first).reduce((sum, each) => sum + each, 0)
  const own = durations[index - first]!
  const at = (share: number) => positionAt(flat, from, to, share)
  const margin = (MARGIN * own) / all
  return [
    known[index] ?? at(Math.max(0, before / all - margin)),
    at(Math.min(1, (before + own) / all + margin)),
  ]
}

/** The sentence at a share of the letters between two others. */
function positionAt(flat: readonly TextSentence[], from: number, to: number, share: number): number {
  const all = flat.slice(from, to).reduce((sum, { words }) => sum + words.length, 0)
  let sum = 0
  let at = from
  while (at < to && sum < share * all) sum += flat[at++]!.words.length
  return at
}
