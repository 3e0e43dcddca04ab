import { pipeline } from 'node:stream/promises'
import { extract, pack, type Pack } from 'tar-stream'
import { errorCode } from '../log/error-code.ts'
import { BadBackup, DamagedBackup } from './bad-backup.ts'

/** An entry of a tar file, so that an owner can inspect a backup without Murmur. */
export interface Entry {
  readonly name: string
  readonly size: number
  /** Read it before the next entry, or not at all. */
  readonly content: AsyncIterable<Buffer>
}

const BLOCK = 512

/** A complete tar file ends with two empty blocks. The library doesn't require them. */
const END = 2 * BLOCK

export async function* writeTar(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const tar = pack()
  const packing = packAll(tar, entries)
  packing.catch((error: Error) => tar.destroy(error))
  try {
    yield* buffersOf(tar)
  } finally {
    tar.destroy()
    await packing.catch(() => undefined)
  }
}

async function packAll(tar: Pack, entries: AsyncIterable<Entry>): Promise<void> {
  for await (const entry of entries) {
    const { name, size } = entry
    const header = { name, size, mode: 0o600, mtime: new Date(0) }
    await pipeline(wholeContent(entry), asNodeStream(tar.entry(header)))
  }
  tar.finalize()
}

async function* wholeContent({ name, size, content }: Entry): AsyncGenerator<Buffer> {
  let read = 0
  for await (const piece of content) {
    read += piece.length
    yield piece
  }
  if (read !== size) throw new Error(`${name} has ${read} bytes and not ${size}`)
}

/** @throws {DamagedBackup} if the tar file is damaged or truncated */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let bytes = 0
  let entryBytes = 0
  const tar = extract()
  const reading = pipeline(async function* () {
    for await (const piece of source) {
      bytes += piece.length
      yield piece
    }
  }, asNodeStream(tar))
  reading.catch(() => undefined)
  try {
    for await (const entry of tar) {
      const { name, size } = entry.header
      entryBytes += BLOCK + Math.ceil(size / BLOCK) * BLOCK
      yield { name, size, content: undamaged(buffersOf(entry)) }
      entry.resume()
    }
    await reading
  } catch (error) {
    throw damaged(error)
  }
  if (bytes < entryBytes + END) throw new DamagedBackup()
}

async function* undamaged(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw damaged(error)
  }
}

/** The library's errors have no code. Others come from the disk or from decryption. */
const damaged = (error: unknown): unknown =>
  error instanceof BadBackup || errorCode(error) !== undefined ? error : new DamagedBackup()

// The library's streams work with Node's pipeline and yield buffers. Its types don't say so.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const asNodeStream = (stream: unknown) => stream as NodeJS.WritableStream
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const buffersOf = (stream: AsyncIterable<unknown>) => stream as AsyncIterable<Buffer>
