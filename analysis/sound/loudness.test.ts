import { expect, test } from 'vitest'
import { LoudnessMeter, PeakMeter } from './loudness.ts'

const RATE = 48_000

type Part = readonly [seconds: number, dbfs: number]

/** A sine of 1 kHz, in parts of different levels. */
function tone(parts: readonly Part[], rate: number): Float32Array {
  const samples = new Float32Array(parts.reduce((sum, [seconds]) => sum + Math.round(seconds * rate), 0))
  let at = 0
  for (const [seconds, dbfs] of parts) {
    const amplitude = 10 ** (dbfs / 20)
    for (const end = at + Math.round(seconds * rate); at < end; at++)
      samples[at] = amplitude * Math.sin((2 * Math.PI * 1000 * at) / rate)
  }
  return samples
}

/** In blocks, as a decoder delivers it. */
function measured(left: Float32Array, right: Float32Array, rate = RATE): number | null {
  const meter = new LoudnessMeter(rate)
  for (let at = 0; at < left.length; at += 10_007)
    meter.add(left.subarray(at, at + 10_007), right.subarray(at, at + 10_007))
  return meter.integrated()
}

test.each<[name: string, parts: readonly Part[], lufs: number]>([
  ['1', [[20, -23]], -23],
  ['2', [[20, -33]], -33],
  [
    '3',
    [
      [10, -36],
      [60, -23],
      [10, -36],
    ],
    -23,
  ],
  [
    '4',
    [
      [10, -72],
      [10, -36],
      [60, -23],
      [10, -36],
      [10, -72],
    ],
    -23,
  ],
  [
    '5',
    [
      [20, -26],
      [20.1, -20],
      [20, -26],
    ],
    -23,
  ],
])('in step: loudness is within 0.1 LU of EBU Tech 3341, case %s', (_name, parts, lufs) => {
  for (const rate of [RATE, 44_100]) {
    const left = tone(parts, rate)
    // Two equal channels would count as one.
    const right = left.map((sample) => -sample)
    expect(Math.abs(measured(left, right, rate)! - lufs)).toBeLessThanOrEqual(0.1)
  }
})

test('in step: a mono file that was decoded to two equal channels is not 3 LU louder', () => {
  const mono = tone([[5, -20]], RATE)
  expect(measured(mono, mono)).toBeCloseTo(-23, 1)
  expect(measured(mono, mono.slice())).toBeCloseTo(-23, 1)
})

test('in step: silence has no loudness and no peak', () => {
  const silence = new Float32Array(RATE)
  expect(measured(silence, silence)).toBeNull()
  const meter = new PeakMeter()
  meter.add(silence)
  expect(meter.truePeak()).toBeNull()
})

test.each<[name: string, every: number, degrees: number, amplitude: number, dbtp: number]>([
  ['15', 4, 0, 0.5, -6],
  ['16', 4, 45, 0.5, -6],
  ['17', 6, 60, 0.5, -6],
  ['18', 8, 67.5, 0.5, -6],
  ['19', 4, 45, 1.41, 3],
])(
  'in step: true peak is within +0.2 and -0.4 dB of EBU Tech 3341, case %s',
  (_name, every, degrees, amplitude, dbtp) => {
    // Fades, because a sine that starts at once has a higher peak of its own.
    const samples = Float32Array.from({ length: RATE }, (_, at) => {
      const fade = Math.min(1, at / 4800, (RATE - at) / 4800)
      return fade * amplitude * Math.sin((2 * Math.PI * at) / every + (degrees * Math.PI) / 180)
    })
    const meter = new PeakMeter()
    for (let at = 0; at < samples.length; at += 10_007) meter.add(samples.subarray(at, at + 10_007))
    expect(meter.truePeak()! - dbtp).toBeLessThanOrEqual(0.2)
    expect(meter.truePeak()! - dbtp).toBeGreaterThanOrEqual(-0.4)
  },
)
