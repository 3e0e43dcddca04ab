import { describe, expect, test } from 'vitest'
import { mp3, TONE, TONE_MS, VBR, VBR_MS } from '../fixtures/owners-folder.ts'
import { type Mp3Length, Mp3Measure } from './mp3-length.ts'

describe('the length of an MP3', () => {
  test('trap 33: is the length of its sound, also with a variable bit rate and no header', () => {
    expect(Math.abs(measured(VBR)!.durationMs - VBR_MS)).toBeLessThan(50)
    expect(measured(VBR)!.promisedMs).toBeUndefined()
  })

  test('trap 33: excludes the padding that the encoder added at both ends', () => {
    expect(Math.abs(measured(TONE)!.durationMs - TONE_MS)).toBeLessThan(2)
  })

  test('trap 33: covers all of several joined files, not only what the first header says', () => {
    const joined = Buffer.concat([TONE, VBR])
    expect(measured(joined)!.durationMs - (TONE_MS + VBR_MS)).toBeLessThan(120)
    expect(measured(joined)!.durationMs).toBeGreaterThan(TONE_MS + VBR_MS - 50)
    expect(measured(joined)!.promisedMs).toBe(TONE_MS)
  })

  test('reveals a truncated file', () => {
    const cut = measured(TONE.subarray(0, TONE.length / 2))!
    expect(cut.promisedMs).toBe(TONE_MS)
    expect(cut.durationMs).toBeLessThan(0.6 * TONE_MS)
  })

  test('does not depend on tags or on the size of the pieces that are read', () => {
    const tagged = Buffer.concat([
      mp3({ title: 'A tone', album: 'Tones' }, VBR),
      Buffer.from(`TAG${'x'.repeat(125)}`),
    ])
    const whole = measured(tagged)
    expect(whole).toEqual(measured(VBR))
    for (const size of [1, 97, 1000, 4096]) expect(measured(tagged, size)).toEqual(whole)
  })

  test('skips and counts stray bytes between frames', () => {
    const rubbish = Buffer.alloc(700, 'not sound, ')
    const measuredThrough = measured(Buffer.concat([VBR, rubbish, VBR]))!
    expect(measuredThrough.strayBytes).toBe(700)
    expect(Math.abs(measuredThrough.durationMs - 2 * VBR_MS)).toBeLessThan(100)
  })

  test('is undefined for a file that is not an MP3', () => {
    expect(measured(Buffer.alloc(0))).toBeUndefined()
    expect(measured(Buffer.from('Good books, said softly.'.repeat(200)))).toBeUndefined()
    expect(measured(Buffer.alloc(5000, 0xff))).toBeUndefined()
  })
})

function measured(bytes: Buffer, size = bytes.length || 1): Mp3Length | undefined {
  const measure = new Mp3Measure()
  for (let at = 0; at < bytes.length; at += size) measure.push(bytes.subarray(at, at + size))
  return measure.end()
}
