import { diffArrays } from 'diff'
import type { Caption } from '#server/db/schema/in-step.ts'
import type { ChapterAlignment } from '../align/align-chapter.ts'
import type { PlacedLine } from '../align/aligner.ts'
import { spokenWords } from './spoken-words.ts'

interface HeardWord {
  readonly word: string
  /** Hundredths of a second. Within a caption, time is shared out by letters. */
  readonly start: number
  readonly end: number
  readonly isFirst: boolean
}

/** Fewer of the words of a sentence, or of the captions as a whole, are another text. */
const LEAST_SHARE = 0.5

/** One word of the text may be two in the captions: “no body” for “nobody”. */
const SPLIT_WORDS = 2

/**
 * Places sentences by the captions of a sound, even where their words differ a little. Certain are the sentences that
 * start a caption. Undefined if the captions have other words.
 */
export function placeByCaptions(
  sentences: readonly string[],
  captions: readonly Caption[],
  language: string,
): ChapterAlignment | undefined {
  const said = sentences.flatMap((sentence, line) =>
    wordsIn(sentence, language).map((word) => ({ word, line })),
  )
  const heard = captions.flatMap((caption) => heardIn(caption, language))
  const partners = partnersOf(said, heard)
  if (!partners || partners.size < heard.length * LEAST_SHARE) return undefined

  const matched = new Set(partners.values())
  const lines = Map.groupBy(
    said.map(({ line }, index) => ({ line, heard: partners.get(index) })),
    ({ line }) => line,
  )
  const placed: PlacedLine[] = []
  const skipped: number[] = []
  let next = 0
  let last = 0
  let extra = 0
  for (const [id, words] of lines) {
    const matches = words.flatMap((word, index) =>
      word.heard === undefined ? [] : [{ index, at: word.heard }],
    )
    if (matches.length < words.length * LEAST_SHARE) {
      skipped.push(id)
      continue
    }
    const [first, final] = [matches[0]!, matches.at(-1)!]
    // A word before the first match, or after the last, has another spelling in the captions.
    let from = first.at
    for (let back = 1; first.index > 0 && back <= first.index + SPLIT_WORDS; back++) {
      const at = first.at - back
      if (at < next || matched.has(at)) break
      if (heard[at]!.isFirst || back <= first.index) from = at
      if (heard[at]!.isFirst) break
    }
    const until = Math.min(heard.length - 1, final.at + words.length - 1 - final.index)
    extra += timeOf(heard.slice(next, from))
    let to = final.at
    while (to < until && !matched.has(to + 1)) to++
    const start = Math.max(last, heard[from]!.start)
    last = Math.max(start, heard[to]!.end)
    placed.push({ id, start, end: last, isCertain: heard[from]!.isFirst && start === heard[from]!.start })
    next = to + 1
  }
  const [opening, closing] = [placed[0]?.id ?? 0, placed.at(-1)?.id ?? -1]
  return {
    placed,
    skipped: skipped.filter((id) => id > opening && id < closing),
    extra: extra + timeOf(heard.slice(next)),
    doubtfulWords: [],
  }
}

const timeOf = (words: readonly HeardWord[]): number =>
  words.reduce((sum, { start, end }) => sum + end - start, 0)

/** Numbers and abbreviations as they are spoken: captions often write them otherwise than books. */
const wordsIn = (text: string, language: string): string[] =>
  spokenWords(text, language).flatMap((ways) => ways[0]!.map((word) => word.replaceAll("'", '')))

function heardIn([start, end, text]: Caption, language: string): HeardWord[] {
  const words = wordsIn(text, language)
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  let before = 0
  const next = () => Math.round(start + ((end - start) * before) / letters)
  return words.map((word, index) => {
    const from = next()
    before += word.length
    return { word, start: from, end: next(), isFirst: index === 0 }
  })
}

/** For each word of the text the same one in the captions, in the same order. */
function partnersOf(
  said: readonly { readonly word: string }[],
  heard: readonly HeardWord[],
): Map<number, number> | undefined {
  const word = (each: { readonly word: string }) => each.word
  // Beyond that the share of equal words is too small anyway; two texts without any would take minutes.
  const maxEditLength = Math.abs(said.length - heard.length) + heard.length
  const runs = diffArrays(said.map(word), heard.map(word), { maxEditLength })
  if (!runs) return undefined
  const partners = new Map<number, number>()
  let [at, on] = [0, 0]
  for (const { added, removed, count } of runs) {
    if (!added && !removed) for (let step = 0; step < count; step++) partners.set(at + step, on + step)
    if (!added) at += count
    if (!removed) on += count
  }
  return partners
}
