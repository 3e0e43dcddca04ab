import { expect, test } from 'vitest'
import {
  decodeStretches,
  decodeTimes,
  encodeStretches,
  encodeTimes,
  joinInStep,
  splitInStep,
} from './in-step.ts'

/** Ten hours of it: large numbers need several bytes. */
const TIMES = [
  { start: 30, end: 158, isCertain: true },
  { start: 158, end: 158, isCertain: false },
  { start: 20_000, end: 20_999, isCertain: true },
  { start: 3_600_000, end: 3_600_500, isCertain: false },
]
const SILENCES = [
  { start: 0, end: 30 },
  { start: 158, end: 16_500 },
]

test('in step: the file is read as it was written', () => {
  const chapters = [
    {
      number: 1,
      title: 'Quarter past “one”',
      durationMs: 69_460,
      sound: 'a'.repeat(64),
      loudness: -19.04,
      source: 'aligned' as const,
      silences: encodeStretches(SILENCES),
      times: encodeTimes(TIMES),
      words: Uint8Array.of(1, 2, 3),
    },
    {
      number: 2,
      title: '',
      durationMs: 0,
      sound: 'b'.repeat(64),
      loudness: null,
      source: null,
      silences: new Uint8Array(),
      times: new Uint8Array(),
      words: new Uint8Array(),
    },
  ]
  const version = { version: 'a-version', eBook: 'low-tide', text: 'c'.repeat(64), hasSpokenEBook: false }
  const read = splitInStep(joinInStep(version, chapters))
  expect(read).toEqual({ ...version, chapters })
  expect(decodeTimes(read.chapters[0]!.times)).toEqual(TIMES)
  expect(decodeStretches(read.chapters[0]!.silences)).toEqual(SILENCES)
})

test('in step: a file of another format is refused', () => {
  expect(() => splitInStep(new TextEncoder().encode('WEBVTT - a title'))).toThrow('not a file of sentences')
})
