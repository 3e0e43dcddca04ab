import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { extract, pack, type Pack } from 'tar-stream'
import { asBadBackup, BadBackup, DamagedBackup } from './bad-backup.ts'
import { decrypt, encrypt, isEncrypted } from './encryption.ts'
import { errorCode } from '../log/error-code.ts'

/** The last entry: sizes and hashes of all others, so that a truncated file is not accepted as a backup. */
const CONTENTS = 'contents.json'
const PIECE = 1024 * 1024

type Contents = Record<string, { readonly bytes: number; readonly sha256: string }>

export async function writeArchive(
  file: string,
  passphrase: string | undefined,
  entries: AsyncIterable<Entry>,
): Promise<void> {
  const unfinished = `${file}.part`
  const tar = writeTar(withContents(entries))
  try {
    await rm(unfinished, { force: true })
    await pipeline(
      Readable.from(passphrase ? encrypt(tar, passphrase) : tar, { objectMode: false, highWaterMark: PIECE }),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: PIECE }),
    )
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw asBadBackup(error, `${file} could not be written`)
  }
}

/** Yields all entries but the last. Reading an entry's content verifies it. @throws {BadBackup} */
export async function* readArchive(file: string, passphrase: string | undefined): AsyncGenerator<Entry> {
  const seen: Contents = {}
  let isWhole = false
  for await (const entry of readTar(await bytesOf(file, passphrase))) {
    if (entry.name === CONTENTS) {
      isWhole = isDeepStrictEqual(await jsonOf(entry), seen)
      continue
    }
    const content = hashed(entry, seen)
    yield { ...entry, content }
    // Verify entries that the caller did not read.
    for await (const _ of content) continue
  }
  if (!isWhole) throw new DamagedBackup()
}

export const jsonEntry = (name: string, value: unknown): Entry =>
  bytesEntry(name, Buffer.from(JSON.stringify(value)))

export const bytesEntry = (name: string, bytes: Buffer): Entry => ({
  name,
  size: bytes.length,
  content: Readable.from([bytes]),
})

export async function bufferOf({ content }: Pick<Entry, 'content'>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what was written
export async function jsonOf<Value>(entry: Pick<Entry, 'content'>): Promise<Value> {
  const text = (await bufferOf(entry)).toString()
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedBackup()
  }
}

async function* withContents(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  const contents: Contents = {}
  for await (const entry of entries) yield { ...entry, content: hashed(entry, contents) }
  yield jsonEntry(CONTENTS, contents)
}

async function* hashed({ name, size, content }: Entry, contents: Contents): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  contents[name] = { bytes: size, sha256: hash.digest('hex') }
}

async function bytesOf(file: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const head = Buffer.alloc(16)
  const handle = await open(file).catch((error: unknown) => {
    throw new BadBackup(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  await handle.read(head)
  await handle.close()
  const bytes: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: PIECE })
  if (!isEncrypted(head)) return bytes
  if (!passphrase)
    throw new BadBackup(`${file} is encrypted. Set BACKUP_PASSPHRASE to the passphrase it was made with.`)
  return decrypt(bytes, passphrase)
}

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

async function* writeTar(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
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

async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
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

const damaged = (error: unknown): unknown =>
  error instanceof BadBackup || errorCode(error) !== undefined ? error : new DamagedBackup()

// The library's streams work with Node's pipeline and yield buffers. Its types don't say so.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const asNodeStream = (stream: unknown) => stream as NodeJS.WritableStream
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const buffersOf = (stream: AsyncIterable<unknown>) => stream as AsyncIterable<Buffer>
