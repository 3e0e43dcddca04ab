import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface StoredFile {
  readonly sha256: string
  readonly bytes: number
}

export const fingerprint = (file: string, onPiece?: (piece: Buffer) => void): Promise<StoredFile> =>
  fingerprintOf(createReadStream(file, { highWaterMark: 1 << 20 }), onPiece)

export async function fingerprintOf(
  pieces: AsyncIterable<Buffer>,
  onPiece?: (piece: Buffer) => void,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    hash.update(piece)
    onPiece?.(piece)
    bytes += piece.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** An existing file stays. Throws if the file no longer matches its fingerprint. */
export async function storeFile(to: string, from: string, file: StoredFile): Promise<void> {
  if (await isThere(to, file.bytes)) return
  await placeSafely(to, async (temporary) => {
    await copyFile(from, temporary)
    const copied = await fingerprint(temporary)
    if (copied.sha256 !== file.sha256) throw changed(from)
  })
}

export const changed = (file: string): Error => new Error(`${file} changed while it was being copied.`)

export async function moveFile(to: string, from: string, bytes: number): Promise<void> {
  if (await isThere(to, bytes)) return
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
}

/** Writes bytes unless they exist: under a temporary name, synced to disk, then renamed. */
export async function storeBytes(to: string, bytes: Uint8Array): Promise<void> {
  if (await isThere(to, bytes.length)) return
  await placeSafely(to, async (temporary) => {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
  })
}

export async function storeStream(to: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  await placeSafely(to, async (temporary) => {
    const file = await open(temporary, 'wx')
    try {
      for await (const piece of pieces) await file.writeFile(piece)
    } finally {
      await file.close()
    }
  })
}

async function placeSafely(to: string, write: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  const temporary = `${to}.${randomUUID().slice(0, 8)}.part`
  try {
    await write(temporary)
    await flush(temporary)
    await rename(temporary, to)
    await flush(dirname(to))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Windows cannot sync a folder; the renamed file is safe there.
    if (process.platform !== 'win32') throw error
  } finally {
    await handle.close()
  }
}

/** True if the file exists with this size; stored files never change. */
export const isThere = (path: string, bytes: number): Promise<boolean> =>
  stat(path).then(
    (found) => found.size === bytes,
    () => false,
  )
