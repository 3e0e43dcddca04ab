import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BrokenFile } from './entry.ts'

/** Bytes; enough to hold any header and to detect the encoding. */
const FIRST = 65_536

/**
 * A file's bytes, decompressed if it is gzip, regardless of its name. The first piece has at least `FIRST` bytes, or
 * the whole file.
 *
 * @throws `BrokenFile` if the rest of the file is unreadable, for example in a truncated gzip
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const packed = await isGzip(path)
  const file = createReadStream(path)
  const stream: AsyncIterable<Buffer> = packed ? pipeline(file, createGunzip(), () => {}) : file
  let first: Buffer[] | undefined = []
  try {
    for await (const piece of stream) {
      if (!first) {
        yield piece
        continue
      }
      first.push(piece)
      if (first.reduce((sum, { length }) => sum + length, 0) < FIRST) continue
      yield Buffer.concat(first)
      first = undefined
    }
    if (first) yield Buffer.concat(first)
  } catch (error) {
    if (!isFileError(error)) throw error
    if (first && first.length > 0) yield Buffer.concat(first)
    throw new BrokenFile(
      /unexpected end of file/.test(error.message)
        ? 'The file ends in the middle of what gzip packed: it was not copied to its end.'
        : `The file cannot be read on: ${error.message}.`,
    )
  } finally {
    file.destroy()
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && /^(Z_|E[A-Z]+)/.test(String(error.code))

async function isGzip(path: string): Promise<boolean> {
  try {
    const start: AsyncIterable<Buffer> = createReadStream(path, { end: 1 })
    for await (const piece of start) return piece[0] === 0x1f && piece[1] === 0x8b
  } catch (error) {
    if (!isFileError(error)) throw error
    throw new BrokenFile(`The file cannot be read: ${error.message}.`)
  }
  return false
}
