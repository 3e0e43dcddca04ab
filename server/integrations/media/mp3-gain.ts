import { frameAt, infoAt, type Mp3Frame, tagAt } from './mp3-frames.ts'

/** A step of `global_gain` is a factor of 2^(1/4). */
export const DECIBELS_PER_STEP = 20 * Math.log10(2 ** 0.25)

/** The largest frame of Layer III has 2,881 bytes, and the header after it is compared. */
const FRAME_ROOM = 4096

/**
 * An MP3 with another volume, without decoding it: `steps` is added to the field `global_gain` of each frame, as mp3gain
 * does. `-steps` restores the same bytes, unless a gain has reached 0 or 255. Tags and everything else stay as they are.
 */
export async function* withGain(pieces: AsyncIterable<Buffer>, steps: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let skip = 0
  let isFirst = true
  const walk = (isLast: boolean): Buffer => {
    let at = 0
    while (at < rest.length && (isLast || skip > 0 || rest.length - at >= FRAME_ROOM)) {
      if (skip > 0) {
        const step = Math.min(skip, rest.length - at)
        skip -= step
        at += step
        continue
      }
      skip = tagAt(rest, at)
      if (skip > 0) continue
      const frame = frameAt(rest, at)
      // Arbitrary bytes can look like a header, so it counts only if another one follows its frame.
      if (!frame || !isFollowed(rest, at, frame)) {
        at++
        continue
      }
      if (!isFirst || !isHeader(rest, at, frame)) changeGain(rest, at, frame, steps)
      isFirst = false
      skip = frame.bytes
    }
    const done = rest.subarray(0, at)
    rest = rest.subarray(at)
    return done
  }
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece])
    yield walk(false)
  }
  yield walk(true)
}

const isFollowed = (data: Buffer, at: number, frame: Mp3Frame): boolean => {
  const next = at + frame.bytes
  return next === data.length || tagAt(data, next) > 0 || frameAt(data, next)?.stream === frame.stream
}

/** Of encoders that don't put 32 bytes of side information before their header, VBRI is the only one. */
const isHeader = (data: Buffer, at: number, frame: Mp3Frame): boolean =>
  infoAt(data, at, frame) !== undefined || data.toString('latin1', at + 36, at + 40) === 'VBRI'

/**
 * The side information (ISO 11172-3, 2.4.1.7, and 13818-3), in bits:
 *
 *   MPEG-1:        main_data_begin 9, private 5 (mono) or 3, scfsi 4 per channel; then 2 granules, a channel of 59 each
 *   MPEG-2 and 2.5: main_data_begin 8, private 1 (mono) or 2;                      then 1 granule, a channel of 63
 *   of a channel:   part2_3_length 12, big_values 9, global_gain 8, …
 */
function changeGain(data: Buffer, at: number, { isMpeg1, isMono, sideInfo }: Mp3Frame, steps: number): void {
  const isProtected = (data[at + 1]! & 1) === 0
  const side = at + 4 + (isProtected ? 2 : 0)
  const channels = isMono ? 1 : 2
  const before = isMpeg1 ? 9 + (isMono ? 5 : 3) + 4 * channels : 8 + (isMono ? 1 : 2)
  const count = (isMpeg1 ? 2 : 1) * channels
  for (let index = 0; index < count; index++) {
    const bit = before + index * (isMpeg1 ? 59 : 63) + 12 + 9
    const byte = side + (bit >> 3)
    const shift = 8 - (bit & 7)
    const word = data.readUInt16BE(byte)
    const gain = (word >> shift) & 0xff
    // A gain of 0 is silence, and stays.
    const changed = gain === 0 ? 0 : Math.max(0, Math.min(255, gain + steps))
    data.writeUInt16BE((word & ~(0xff << shift)) | (changed << shift), byte)
  }
  if (isProtected) data.writeUInt16BE(crcOf(data, at, side, sideInfo), at + 4)
}

/** The 16-bit CRC of the last two bytes of the header and of the side information. */
function crcOf(data: Buffer, at: number, side: number, length: number): number {
  let crc = 0xffff
  for (const byte of [data[at + 2]!, data[at + 3]!, ...data.subarray(side, side + length)]) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff
  }
  return crc
}
