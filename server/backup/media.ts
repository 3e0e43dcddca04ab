import { join } from 'node:path'
import { fingerprint, fingerprintOf } from '../integrations/media/files.ts'
import { FolderStore } from '../integrations/media/folder-store.ts'
import type { MediaStore, StoredMedia } from '../integrations/media/media-store.ts'
import { hashInPath } from '../integrations/media/paths.ts'
import { BadBackup } from './bad-backup.ts'
import { MEDIA, type MediaList } from './manifest.ts'
import type { Progress } from './progress.ts'
import type { Entry } from './archive.ts'

/** Safe to read while the shop runs: files are stored before a row references them, and never change. */
export async function* mediaEntries(
  store: Pick<MediaStore, 'stream'>,
  files: readonly StoredMedia[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Entry> {
  let done = 0
  for (const file of files) {
    yield { name: MEDIA + file.path, size: file.bytes, content: whole(store, file) }
    onBytes((done += file.bytes))
  }
}

export async function hashMedia(
  store: Pick<MediaStore, 'stream'>,
  files: readonly StoredMedia[],
  onBytes: (bytes: number) => void,
): Promise<MediaList> {
  const list: Record<string, MediaList[string]> = {}
  let done = 0
  for (const { path, bytes } of files) {
    const sha256 = hashInPath(path) ?? (await fingerprintOf(await store.stream(path))).sha256
    list[path] = { bytes, sha256 }
    onBytes((done += bytes))
  }
  return list
}

async function* whole(
  store: Pick<MediaStore, 'stream'>,
  { path, bytes }: StoredMedia,
): AsyncGenerator<Buffer> {
  let read = 0
  const pieces: AsyncIterable<Buffer> = await store.stream(path)
  for await (const piece of pieces) {
    read += piece.length
    yield piece
  }
  if (read !== bytes) throw new BadBackup(`${path} changed while it was read. Make the backup again.`)
}

interface Placing {
  readonly store: Pick<MediaStore, 'put' | 'list'>
  readonly staging: string
  readonly listed: MediaList
  readonly beside: string
  readonly progress: Progress
}

/** Existing files stay. Returns the paths of missing files and of those with other bytes than their name promises. */
export async function placeMedia({ store, staging, listed, beside, progress }: Placing): Promise<string[]> {
  const from = join(staging, 'media')
  const missing: string[] = []
  for await (const { path, bytes } of new FolderStore(from).list()) {
    const file = join(from, path)
    const { sha256 } = await fingerprint(file)
    if ((hashInPath(path) ?? sha256) === sha256) await store.put(path, { file, bytes, sha256, isSpare: true })
    else missing.push(path)
  }
  const paths = Object.entries(listed)
  const there = new Map<string, number>()
  if (paths.length > 0) for await (const { path, bytes } of store.list()) there.set(path, bytes)
  let done = 0
  for (const [path, { bytes, sha256 }] of paths) {
    progress.at('Sound, e-books and pictures', (done += 1))
    if (there.get(path) === bytes) continue
    const file = join(beside, path)
    const found = await fingerprint(file).catch(() => undefined)
    if (found?.sha256 === sha256) await store.put(path, { file, bytes, sha256 })
    else missing.push(path)
  }
  return missing
}
