import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createReadStream } from 'node:fs'
import { fingerprint, isThere, storeStream } from '../outside/media/store.ts'
import type { MediaList } from './manifest.ts'
import { listMedia } from './media-files.ts'
import type { Progress } from './progress.ts'

interface Placing {
  readonly dataDir: string
  /** The folder whose `media` came out of the backup. */
  readonly staging: string
  readonly listed: MediaList
  /** Another folder that may have what is listed: the one that nightly backups fill. */
  readonly beside: string
  readonly progress: Progress
}

/** Brings the media to their place; what is there already stays. Answers what is listed and was found nowhere. */
export async function placeMedia({ dataDir, staging, listed, beside, progress }: Placing): Promise<string[]> {
  const mediaDir = join(dataDir, 'media')
  const from = join(staging, 'media')
  for (const { path, bytes } of await listMedia(from)) {
    const to = join(mediaDir, path)
    if (await isThere(to, bytes)) continue
    await mkdir(dirname(to), { recursive: true })
    await rename(join(from, path), to)
  }
  const missing: string[] = []
  let done = 0
  for (const [path, file] of Object.entries(listed)) {
    progress.at('Sound, e-books and pictures', (done += 1))
    const to = join(mediaDir, path)
    if (await isThere(to, file.bytes)) continue
    const found = await fingerprint(join(beside, path)).catch(() => undefined)
    if (found?.sha256 === file.sha256) await storeStream(to, createReadStream(join(beside, path)))
    else missing.push(path)
  }
  return missing
}
