export interface Mp3Length {
  readonly durationMs: number
  readonly promisedMs: number | undefined
  /** Bytes that are neither sound nor a tag. */
  readonly strayBytes: number
}

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]
/** Bytes of a frame that can contain a Xing header with its LAME part. */
const HEADER_ROOM = 200

/** Reads every frame: headers are wrong in joined or cut files, and bit rates vary (trap 33). */
export class Mp3Measure {
  #rest: Buffer = Buffer.alloc(0)
  #skip = 0
  #frames = 0
  #seconds = 0
  #promised = 0
  #stray = 0
  #stream: number | undefined

  push(piece: Buffer): void {
    this.#walk(this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece, false)
  }

  /** @returns undefined if the file is not an MP3 */
  end(): Mp3Length | undefined {
    this.#walk(this.#rest, true)
    if (this.#frames === 0) return undefined
    return {
      durationMs: Math.round(this.#seconds * 1000),
      promisedMs: this.#promised > 0 ? Math.round(this.#promised * 1000) : undefined,
      strayBytes: this.#stray,
    }
  }

  #walk(data: Buffer, last: boolean): void {
    let at = 0
    while (at < data.length) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, data.length - at)
        this.#skip -= step
        at += step
        continue
      }
      if (!last && data.length - at < HEADER_ROOM) break
      if (data.length - at < 4) {
        this.#stray += data.length - at
        at = data.length
        break
      }
      const tag = tagAt(data, at)
      if (tag > 0) {
        this.#skip = tag
        continue
      }
      const frame = frameAt(data, at)
      if (
        !frame ||
        (this.#stream !== undefined && frame.stream !== this.#stream && !this.#follows(data, at, frame))
      ) {
        // Arbitrary bytes can look like a header. In doubt, accept one only if another header follows its frame.
        this.#stream = undefined
        this.#stray++
        at++
        continue
      }
      if (this.#stream === undefined && !last) {
        if (data.length - at < frame.bytes + 4) {
          if (data.length - at < 3_000) break
        } else if (!this.#follows(data, at, frame)) {
          this.#stray++
          at++
          continue
        }
      }
      if (last && data.length - at < frame.bytes && this.#frames === 0) {
        this.#stray += data.length - at
        at = data.length
        break
      }
      this.#stream = frame.stream
      this.#count(data, at, frame)
      this.#skip = frame.bytes
    }
    this.#rest = Buffer.from(data.subarray(at))
  }

  #follows(data: Buffer, at: number, frame: Frame): boolean {
    const next = at + frame.bytes
    if (next + 4 > data.length) return false
    return tagAt(data, next) > 0 || frameAt(data, next)?.stream === frame.stream
  }

  #count(data: Buffer, at: number, frame: Frame): void {
    // A second Xing header comes from a joined file; players play its frame as silence, so count it.
    const about = this.#frames === 0 && this.#promised === 0 ? infoAt(data, at, frame) : undefined
    if (!about) {
      this.#frames++
      this.#seconds += frame.samples / frame.rate
      return
    }
    this.#promised = Math.max(0, about.frames * frame.samples - about.silence) / frame.rate
    this.#seconds -= about.silence / frame.rate
  }
}

interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly rate: number
  readonly stream: number
  readonly sideInfo: number
}

function frameAt(data: Buffer, at: number): Frame | undefined {
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
    sideInfo: 4 + (first ? (mono ? 17 : 32) : mono ? 9 : 17),
  }
}

function infoAt(data: Buffer, at: number, frame: Frame): { frames: number; silence: number } | undefined {
  const start = at + frame.sideInfo
  if (start + 8 > data.length || frame.bytes < frame.sideInfo + 8) return undefined
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

/** In bytes; 0 if no tag begins here. */
function tagAt(data: Buffer, at: number): number {
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
