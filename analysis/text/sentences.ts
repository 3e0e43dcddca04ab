/** A part of a text: `[start, end)`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** After these a full stop ends no sentence, although a capital letter follows. */
const ABBREVIATED =
  /(?:^|[\s("“‘'])(?:Mr|Mrs|Ms|Dr|St|Prof|Rev|Capt|Col|Gen|Lt|Sgt|Mme|Mlle|M|No|vs|etc|[A-HJ-Z])\.\s*$/u
const HAS_WORD = /[\p{L}\p{N}]/u

/** Sentences without the spaces around them; pieces without a word belong to their neighbour. */
export function sentencesOf(text: string, language: string): Span[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  const spans: Span[] = []
  let isOpen = false
  // A line break in the source is a space; the segmenter would end the sentence there.
  for (const { segment, index } of segmenter.segment(text.replaceAll(/[\n\r\t\f]/g, ' '))) {
    const end = index + segment.length
    const last = spans.at(-1)
    if (last && (isOpen || !HAS_WORD.test(segment))) spans[spans.length - 1] = { start: last.start, end }
    else spans.push({ start: index, end })
    const whole = text.slice(spans.at(-1)!.start, end)
    isOpen = ABBREVIATED.test(whole) || !HAS_WORD.test(whole)
  }
  return spans
    .map((span) => trimmed(text, span))
    .filter(({ start, end }) => HAS_WORD.test(text.slice(start, end)))
}

function trimmed(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end)
  return { start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length }
}
