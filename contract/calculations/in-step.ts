/**
 * The file that tells where each sentence of a title is spoken, and where it is silent; server and app share it. All
 * numbers are varints (7 bits per byte, lowest first); times are in hundredths of a second.
 *
 *   “MIS1”, length of the header, header (JSON), then for each chapter:
 *   Stretches: for each silence the gap since the last one, and its length
 *   Sentences: for each the gap since the last one, and twice its length, plus 1 if it is certain
 *   Words: deflated lines of an EPUB CFI, a tab and the sentence; empty for owners of the audio alone
 */
export interface InStepVersion {
  /** Of the title's sound and text: another one means other files. */
  readonly version: string
  /** The e-book's slug, and the SHA-256 of its file: an app shows no marks in another file. Null without its words. */
  readonly eBook: string | null
  readonly text: string | null
  /** `GET /api/audio_books/{slug}/in_step/e_book` can make one file of both. */
  readonly hasSpokenEBook: boolean
}

export interface InStepHeader extends InStepVersion {
  readonly chapters: readonly InStepPart[]
}

export interface InStepPart {
  readonly number: number
  readonly title: string
  readonly durationMs: number
  /** SHA-256 of the chapter's sound, as in the title's `audioFiles`. */
  readonly sound: string
  /** LUFS. */
  readonly loudness: number | null
  /** Null if there is no text for this chapter. */
  readonly source: 'owner' | 'aligned' | 'estimated' | null
  /** Lengths of the three parts in bytes. */
  readonly bytes: readonly [silences: number, times: number, words: number]
}

export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface SentenceTime extends Stretch {
  /** False: the place is estimated, “about here”. */
  readonly isCertain: boolean
}

const MAGIC = 'MIS1'

export function encodeStretches(stretches: readonly Stretch[]): Uint8Array {
  let last = 0
  return varints(
    stretches.flatMap(({ start, end }) => {
      const gap = start - last
      last = end
      return [gap, end - start]
    }),
  )
}

export function decodeStretches(bytes: Uint8Array): Stretch[] {
  const numbers = readVarints(bytes)
  const found: Stretch[] = []
  for (let at = 0, last = 0; at + 1 < numbers.length; at += 2) {
    const start = last + numbers[at]!
    last = start + numbers[at + 1]!
    found.push({ start, end: last })
  }
  return found
}

export const encodeTimes = (times: readonly SentenceTime[]): Uint8Array => {
  let last = 0
  return varints(
    times.flatMap(({ start, end, isCertain }) => {
      const gap = start - last
      last = end
      return [gap, (end - start) * 2 + (isCertain ? 1 : 0)]
    }),
  )
}

export function decodeTimes(bytes: Uint8Array): SentenceTime[] {
  const numbers = readVarints(bytes)
  const found: SentenceTime[] = []
  for (let at = 0, last = 0; at + 1 < numbers.length; at += 2) {
    const start = last + numbers[at]!
    last = start + Math.floor(numbers[at + 1]! / 2)
    found.push({ start, end: last, isCertain: numbers[at + 1]! % 2 === 1 })
  }
  return found
}

export interface InStepChapter extends Omit<InStepPart, 'bytes'> {
  readonly silences: Uint8Array
  readonly times: Uint8Array
  readonly words: Uint8Array
}

export function joinInStep(version: InStepVersion, chapters: readonly InStepChapter[]): Uint8Array {
  const parts = chapters.map(({ silences, times, words, ...chapter }): InStepPart => ({
    ...chapter,
    bytes: [silences.length, times.length, words.length],
  }))
  const header = new TextEncoder().encode(
    JSON.stringify({ ...version, chapters: parts } satisfies InStepHeader),
  )
  const pieces = [
    new TextEncoder().encode(MAGIC),
    varints([header.length]),
    header,
    ...chapters.flatMap(({ silences, times, words }) => [silences, times, words]),
  ]
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** @throws for a file of another format */
export function splitInStep(file: Uint8Array): InStepVersion & { chapters: InStepChapter[] } {
  if (new TextDecoder().decode(file.subarray(0, 4)) !== MAGIC) throw new Error('not a file of sentences')
  let at = 4
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = file[at++]!
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  const header: InStepHeader = JSON.parse(new TextDecoder().decode(file.subarray(at, at + length)))
  at += length
  const next = (bytes: number) => file.subarray(at, (at += bytes))
  const { chapters: parts, ...version } = header
  const chapters = parts.map(({ bytes: [silences, times, words], ...chapter }) => ({
    ...chapter,
    silences: next(silences),
    times: next(times),
    words: next(words),
  }))
  return { ...version, chapters }
}

function varints(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

function readVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  let factor = 1
  for (const byte of bytes) {
    number += (byte & 0x7f) * factor
    factor *= 0x80
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
    factor = 1
  }
  return numbers
}
