import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../log/error-code.ts'
import { fingerprint } from '../outside/media/store.ts'
import type { Entry } from './archive.ts'
import { BadBackup } from './bad-backup.ts'
import { MEDIA, type MediaList } from './manifest.ts'

interface MediaFile {
  /** With slashes, as in the archive. */
  readonly path: string
  readonly bytes: number
}

/** Everything that is stored, by name. Files are added before a row speaks of them, and never change. */
export async function listMedia(mediaDir: string): Promise<MediaFile[]> {
  const files: MediaFile[] = []
  for (const path of await pathsIn(mediaDir)) {
    const found = await stat(join(mediaDir, path)).catch(() => undefined)
    if (found) files.push({ path, bytes: found.size })
  }
  return files
}

export async function* mediaEntries(
  mediaDir: string,
  files: readonly MediaFile[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Entry> {
  let done = 0
  for (const { path, bytes } of files) {
    yield { name: MEDIA + path, size: bytes, content: whole(join(mediaDir, path), bytes) }
    onBytes((done += bytes))
  }
}

/** What each file has to be. Sound and e-books are named by their hash; the others are read for it. */
export async function hashMedia(
  mediaDir: string,
  files: readonly MediaFile[],
  onBytes: (bytes: number) => void,
): Promise<MediaList> {
  const list: Record<string, MediaList[string]> = {}
  let done = 0
  for (const { path, bytes } of files) {
    const sha256 = hashInName(path) ?? (await fingerprint(join(mediaDir, path))).sha256
    list[path] = { bytes, sha256 }
    onBytes((done += bytes))
  }
  return list
}

/** The content that a name stands for; undefined for pictures. */
export const hashInName = (path: string): string | undefined => /(?:^|\/)([0-9a-f]{64})\.\w+$/.exec(path)?.[1]

async function* whole(file: string, bytes: number): AsyncGenerator<Buffer> {
  let read = 0
  const pieces: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1024 * 1024 })
  for await (const piece of pieces) {
    read += piece.length
    yield piece
  }
  if (read !== bytes) throw new BadBackup(`${file} changed while it was read. Make the backup again.`)
}

async function pathsIn(mediaDir: string): Promise<string[]> {
  const paths: string[] = []
  const look = async (folder: string): Promise<void> => {
    for await (const entry of await opendir(join(mediaDir, folder))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (entry.isDirectory()) await look(path)
      // One that is being written has no name of its own yet.
      else if (entry.isFile() && !entry.name.endsWith('.part')) paths.push(path)
    }
  }
  await look('').catch((error: unknown) => {
    // A shop without any.
    if (codeOf(error) !== 'ENOENT') throw error
  })
  return paths.toSorted()
}
