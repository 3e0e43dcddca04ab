import type { SentenceTime } from '#contract/calculations/in-step.ts'

export interface Cue extends SentenceTime {
  readonly words: string
}

/** WebVTT with a cue per sentence. A note lists the cues whose times are estimated. */
export function vttOf(title: string, cues: readonly Cue[]): string {
  const estimated = ranges(cues.flatMap(({ isCertain }, index) => (isCertain ? [] : [index + 1])))
  const note =
    estimated === ''
      ? 'The times of all cues are certain.'
      : `The times of these cues are estimated, all others are certain: ${estimated}`
  return [
    `WEBVTT - ${escaped(title)}`,
    `NOTE ${note}`,
    ...cues.map(
      ({ start, end, words }, index) =>
        `${index + 1}\n${clock(start)} --> ${clock(Math.max(end, start + 1))}\n${escaped(words)}`,
    ),
    '',
  ].join('\n\n')
}

/** `1-3, 7` */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}

function clock(hundredths: number): string {
  const seconds = Math.floor(hundredths / 100)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const fraction = String(Math.round(hundredths % 100) * 10).padStart(3, '0')
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${fraction}`
}

/** A line break would end the cue, and an arrow would make a new one. */
const escaped = (words: string): string =>
  words.replaceAll(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
