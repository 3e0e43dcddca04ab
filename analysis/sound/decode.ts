import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { MPEGDecoder } from 'mpg123-decoder'

/** Samples from -1 to 1. A mono file has the same array twice. */
export interface SoundBlock {
  readonly left: Float32Array
  readonly right: Float32Array
  readonly rate: number
}

/** The reason is printed for the owner. */
export class CannotDecode extends Error {}

/** MP3 is decoded in WebAssembly; other formats by ffmpeg, where it is installed. @throws CannotDecode */
export const decodeSound = (path: string, extension: string): AsyncGenerator<SoundBlock> =>
  extension === 'mp3' ? decodeMp3(path) : decodeByFfmpeg(path)

/** Bytes; half a minute of speech. Larger pieces need more memory, smaller ones more calls into WebAssembly. */
const PIECE = 128 * 1024

async function* decodeMp3(path: string): AsyncGenerator<SoundBlock> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  let hasSound = false
  try {
    const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PIECE })
    for await (const piece of pieces) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(piece)
      const [left, right = left] = channelData
      if (!left || samplesDecoded === 0) continue
      hasSound = true
      yield { left, right: right!, rate: sampleRate }
    }
  } finally {
    decoder.free()
  }
  if (!hasSound) throw new CannotDecode('cannot be decoded')
}

/** What audiobooks are usually made at; ffmpeg converts other rates. */
const FFMPEG_RATE = 44_100

async function* decodeByFfmpeg(path: string): AsyncGenerator<SoundBlock> {
  const output = ['-f', 'f32le', '-ac', '2', '-ar', String(FFMPEG_RATE), 'pipe:1']
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, '-vn', ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  let failure: NodeJS.ErrnoException | undefined
  child.on('error', (error) => (failure = error))
  ended.catch(() => undefined)
  let rest = Buffer.alloc(0)
  try {
    const pieces: AsyncIterable<Buffer> = child.stdout
    for await (const piece of pieces) {
      const bytes = Buffer.concat([rest, piece])
      const frames = Math.floor(bytes.length / 8)
      rest = bytes.subarray(frames * 8)
      if (frames > 0) yield split(bytes, frames)
    }
  } finally {
    child.kill()
  }
  await ended.catch(() => undefined)
  if (failure?.code === 'ENOENT') throw new CannotDecode('is not MP3, and ffmpeg is not installed')
  if (child.exitCode !== 0)
    throw new CannotDecode(`cannot be decoded: ${said.trim().slice(0, 200) || failure?.message}`)
}

function split(bytes: Buffer, frames: number): SoundBlock {
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  for (let at = 0; at < frames; at++) {
    left[at] = bytes.readFloatLE(at * 8)
    right[at] = bytes.readFloatLE(at * 8 + 4)
  }
  return { left, right, rate: FFMPEG_RATE }
}
