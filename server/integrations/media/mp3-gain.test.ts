import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MPEGDecoder } from 'mpg123-decoder'
import { expect, test } from 'vitest'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { mp3, picture, STEREO, TONE, VBR } from '#importer/fixtures/owners-folder.ts'
import { frameAt } from './mp3-frames.ts'
import { DECIBELS_PER_STEP, withGain } from './mp3-gain.ts'

const sample = () => readFile(join(DEMO_CONTENT, 'titles/one-hour-island/sample.mp3'))

async function gained(bytes: Buffer, steps: number, piece = 10_007): Promise<Buffer> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  return Buffer.concat(await Array.fromAsync(withGain(pieces(), steps)))
}

/** The mean power in decibels, and how many samples there are. */
async function heard(bytes: Buffer): Promise<{ decibels: number; samples: number }> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const { channelData, samplesDecoded } = decoder.decode(bytes)
  decoder.free()
  const power = channelData[0]!.reduce((sum, sample) => sum + sample * sample, 0) / samplesDecoded
  return { decibels: 10 * Math.log10(power), samples: samplesDecoded }
}

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['a demo sample', sample],
  ['a stereo tone', () => STEREO],
  ['a mono tone', () => TONE],
  ['a file with a varying bit rate', () => VBR],
])('in step: %s is louder or softer by steps of 1.5 dB, and as long as before', async (_, read) => {
  const bytes = await read()
  const before = await heard(bytes)
  for (const steps of [-4, 1, 2]) {
    const after = await heard(await gained(bytes, steps))
    expect(after.decibels - before.decibels).toBeCloseTo(steps * DECIBELS_PER_STEP, 1)
    expect(after.samples).toBe(before.samples)
  }
})

test('in step: the opposite steps restore the bytes, tags and stray bytes are never changed, and pieces don’t matter', async () => {
  const tagged = mp3({ title: 'One', picture: await picture('#446688', 300, 300) }, await sample())
  const torn = Buffer.concat([
    tagged,
    Buffer.from([0xff, 0xfb, 0x90, 0x64, 1, 2, 3]),
    STEREO,
    TONE.subarray(0, 700),
  ])
  const louder = await gained(torn, 3)
  expect(louder.equals(torn)).toBe(false)
  expect((await gained(louder, -3)).equals(torn)).toBe(true)
  for (const piece of [1, 417, 1_000_000]) expect((await gained(torn, 3, piece)).equals(louder)).toBe(true)
})

test('in step: the check sum of a protected frame follows its gain', async () => {
  const frames = protectedFrames(STEREO)
  const before = await heard(frames)
  const louder = await gained(frames, 2)
  expect((await heard(louder)).decibels - before.decibels).toBeCloseTo(2 * DECIBELS_PER_STEP, 1)
  // A change by 0 computes the checksums again: they must equal those that are stored.
  expect((await gained(louder, 0)).equals(louder)).toBe(true)
  expect((await gained(louder, -2)).equals(await gained(frames, 0))).toBe(true)
})

/** The frames of a file that have room for a check sum, with one. */
function protectedFrames(bytes: Buffer): Buffer {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const frame = frameAt(bytes, at)
    if (!frame) {
      at++
      continue
    }
    const whole = Buffer.from(bytes.subarray(at, at + frame.bytes))
    at += frame.bytes
    if (whole.length < frame.bytes) break
    const side = whole.subarray(4, 4 + frame.sideInfo)
    // Only the volume is looked at, so the last two bytes of a frame's sound may go.
    frames.push(
      Buffer.concat([
        Buffer.from([whole[0]!, whole[1]! & 0xfe, whole[2]!, whole[3]!, 0, 0]),
        side,
        whole.subarray(4 + frame.sideInfo, -2),
      ]),
    )
  }
  return Buffer.concat(frames)
}
