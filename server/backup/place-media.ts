import { join } from 'node:path'
import { fingerprint } from '../integrations/media/files.ts'
import { FolderStore } from '../integrations/media/folder-store.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import { hashInPath } from '../integrations/media/paths.ts'
import type { MediaList } from './manifest.ts'
import type { Progress } from './progress.ts'

interface Placing {
  readonly store: Pick<MediaStore, 'put' | 'list'>
  /** The folder into which the backup's `media` were unpacked. */
  readonly staging: string
  readonly listed: MediaList
  /** A folder that may contain listed files: the one of nightly backups. */
  readonly beside: string
  readonly progress: Progress
}

/**
 * Moves the media to their place; existing files stay. Returns the paths of missing files: listed but not found, or
 * with other bytes than their name promises.
 */
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
