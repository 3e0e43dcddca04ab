const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

/** Of MPEG-1, 2 or 2.5, Layer III. */
export interface Mp3Frame {
  readonly bytes: number
  readonly samples: number
  readonly rate: number
  /** The same for all frames of a file: version and sample rate. */
  readonly stream: number
  readonly isMpeg1: boolean
  readonly isMono: boolean
  /** Bytes of the side information, which follows the header and its CRC. */
  readonly sideInfo: number
}

export function frameAt(data: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > data.length || data[at] !== 0xff || (data[at + 1]! & 0xe0) !== 0xe0) return undefined
  const version = (data[at + 1]! >> 3) & 3
  const layer = (data[at + 1]! >> 1) & 3
  const bitrate = data[at + 2]! >> 4
  const rateIndex = (data[at + 2]! >> 2) & 3
  // Layer III has the code 1; version 1 is reserved; bit rate 0 means “free format”, which no encoder uses.
  if (layer !== 1 || version === 1 || bitrate === 0 || bitrate === 15 || rateIndex === 3) return undefined
  const first = version === 3
  const rate = RATES[rateIndex]! / (first ? 1 : version === 2 ? 2 : 4)
  const kilobits = (first ? BITRATES_1 : BITRATES_2)[bitrate]!
  const padding = (data[at + 2]! >> 1) & 1
  const mono = data[at + 3]! >> 6 === 3
  return {
    bytes: Math.floor(((first ? 144 : 72) * kilobits * 1000) / rate) + padding,
    samples: first ? 1152 : 576,
    rate,
    stream: (version << 2) | rateIndex,
    isMpeg1: first,
    isMono: mono,
    sideInfo: first ? (mono ? 17 : 32) : mono ? 9 : 17,
  }
}

/** What a Xing or Info header says, which an encoder puts into a first frame without sound. */
export function infoAt(
  data: Buffer,
  at: number,
  frame: Mp3Frame,
): { frames: number; silence: number } | undefined {
  const start = at + 4 + frame.sideInfo
  if (start + 8 > data.length || frame.bytes < frame.sideInfo + 12) return undefined
  const name = data.toString('latin1', start, start + 4)
  if (name !== 'Xing' && name !== 'Info') return undefined
  const flags = data.readUInt32BE(start + 4)
  const frames = flags & 1 && start + 12 <= data.length ? data.readUInt32BE(start + 8) : 0
  const lame =
    start + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0)
  const hasLame = lame + 24 <= data.length && /^[\x20-\x7e]{4}/.test(data.toString('latin1', lame, lame + 4))
  const packed = hasLame ? data.readUIntBE(lame + 21, 3) : 0
  return { frames, silence: (packed >> 12) + (packed & 0xfff) }
}

/** The bytes of a tag (ID3, APE); 0 if none begins here. */
export function tagAt(data: Buffer, at: number): number {
  if (at + 10 > data.length) return 0
  if (data.toString('latin1', at, at + 3) === 'ID3') {
    const size = data.readUInt32BE(at + 6)
    if (size & 0x80808080) return 0
    const [a, b, c, d] = [size >>> 24, (size >>> 16) & 127, (size >>> 8) & 127, size & 127]
    return 10 + ((a << 21) | (b << 14) | (c << 7) | d) + (data[at + 5]! & 0x10 ? 10 : 0)
  }
  if (data.toString('latin1', at, at + 3) === 'TAG') return 128
  if (data.toString('latin1', at, at + 8) === 'APETAGEX' && at + 32 <= data.length) {
    const isHeader = (data.readUInt32LE(at + 20) & 0x20000000) !== 0
    return 32 + (isHeader ? data.readUInt32LE(at + 12) : 0)
  }
  return 0
}
