import { frameAt, infoAt, type Mp3Frame, tagAt } from '#server/integrations/media/mp3-frames.ts'

export interface Mp3Length {
  readonly durationMs: number
  readonly promisedMs: number | undefined
  /** Bytes that are neither sound nor a tag. */
  readonly strayBytes: number
}

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

  #follows(data: Buffer, at: number, frame: Mp3Frame): boolean {
    const next = at + frame.bytes
    if (next + 4 > data.length) return false
    return tagAt(data, next) > 0 || frameAt(data, next)?.stream === frame.stream
  }

  #count(data: Buffer, at: number, frame: Mp3Frame): void {
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
