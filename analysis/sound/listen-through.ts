import { open } from 'node:fs/promises'
import { decodeSound } from './decode.ts'
import { LevelMap, silencesIn, type Stretch } from './levels.ts'
import { LoudnessMeter, PeakMeter } from './loudness.ts'
import { Resampler } from './resample.ts'

export interface SoundFacts {
  readonly durationMs: number
  /** In LUFS and dBTP; null for silence. */
  readonly loudness: number | null
  readonly truePeak: number | null
  readonly silences: readonly Stretch[]
  /** Decibels below full scale, per 10 ms. */
  readonly levels: Uint8Array
}

/**
 * Decodes a sound once: its length, loudness, peak and silences. `speechTo` gets 16-bit mono at 16 kHz, in a file,
 * because an hour of it would need 115 MB of memory. @throws CannotDecode
 */
export async function listenThrough(path: string, extension: string, speechTo?: string): Promise<SoundFacts> {
  const speech = speechTo === undefined ? undefined : await open(speechTo, 'w')
  try {
    let meters: ReturnType<typeof metersFor> | undefined
    for await (const { left, right, rate } of decodeSound(path, extension)) {
      meters ??= metersFor(rate)
      const mono = mixed(left, right)
      meters.loudness.add(left, right)
      meters.peaks[0].add(left)
      if (right !== left) meters.peaks[1].add(right)
      meters.levels.add(mono)
      if (speech) await writeAll(speech, meters.resampler.next(mono))
    }
    const { loudness, peaks, levels } = meters ?? metersFor(44_100)
    const peak = Math.max(...peaks.map((meter) => meter.truePeak() ?? -Infinity))
    return {
      durationMs: levels.durationMs,
      loudness: loudness.integrated(),
      truePeak: peak === -Infinity ? null : peak,
      silences: silencesIn(levels.levels),
      levels: levels.levels,
    }
  } finally {
    await speech?.close()
  }
}

const metersFor = (rate: number) => ({
  loudness: new LoudnessMeter(rate),
  peaks: [new PeakMeter(), new PeakMeter()] as const,
  levels: new LevelMap(rate),
  resampler: new Resampler(rate),
})

function mixed(left: Float32Array, right: Float32Array): Float32Array {
  if (left === right) return left
  const mono = new Float32Array(left.length)
  for (let at = 0; at < left.length; at++) mono[at] = (left[at]! + right[at]!) / 2
  return mono
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, samples: Int16Array): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}
