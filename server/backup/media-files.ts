import { fingerprintOf } from '../integrations/media/files.ts'
import type { MediaStore, StoredMedia } from '../integrations/media/media-store.ts'
import { hashInPath } from '../integrations/media/paths.ts'
import type { Entry } from './tar.ts'
import { BadBackup } from './bad-backup.ts'
import { MEDIA, type MediaList } from './manifest.ts'

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

/** Size and hash of each file. Sound and e-books have their hash in their name; other files are read. */
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
