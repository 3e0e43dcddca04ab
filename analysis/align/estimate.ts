import type { PlacedLine } from './aligner.ts'

/** Louder than the pauses of most recordings, softer than any vowel. */
const SPEECH_DB = 42

/** Hundredths of a second with sound in them. */
export function spokenFrames(levels: Uint8Array, start: number, end: number): number {
  let frames = 0
  for (let at = start; at < Math.min(end, levels.length); at++) if (levels[at]! <= SPEECH_DB) frames++
  return frames
}

/** Divides the speech between two times among the lines in proportion to their length; silence is not counted. */
export function estimateBetween(
  lines: readonly { readonly id: number; readonly length: number }[],
  start: number,
  end: number,
  levels: Uint8Array,
): PlacedLine[] {
  const all = lines.reduce((sum, { length }) => sum + length, 0)
  const spoken = spokenFrames(levels, start, end)
  const placed: PlacedLine[] = []
  let at = start
  let heard = 0
  let length = 0
  for (const line of lines) {
    while (at < end && (levels[at] ?? 0) > SPEECH_DB) at++
    const first = Math.min(at, end)
    length += line.length
    for (; at < end && heard < (length / all) * spoken; at++) if ((levels[at] ?? 0) <= SPEECH_DB) heard++
    placed.push({ id: line.id, start: first, end: Math.max(first, at), isCertain: false })
  }
  return placed
}
