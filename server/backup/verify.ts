import { isBeforeFirstRelease, schemaOfRelease } from '../db/migrate.ts'
import { jsonOf, readArchive } from './archive.ts'
import { BadBackup, DamagedBackup } from './bad-backup.ts'
import { KEYS, type Keys, MANIFEST, type Manifest, MEDIA, MEDIA_LIST, type MediaList } from './manifest.ts'
import type { Progress } from './progress.ts'

export interface Verified {
  readonly manifest: Manifest
  readonly keys: Keys
  /** By path; both included and listed files. */
  readonly media: ReadonlyMap<string, number>
}

/**
 * Reads and verifies a whole backup before anything is restored.
 *
 * @throws {BadBackup} wrong passphrase, damaged, truncated, from a newer release, or made before the first release
 */
export async function verify(
  file: string,
  passphrase: string | undefined,
  progress: Progress,
): Promise<Verified> {
  let manifest: Manifest | undefined
  let keys: Keys | undefined
  let bytes = 0
  const media = new Map<string, number>()
  progress.begin('Reading the backup')
  for await (const entry of readArchive(file, passphrase)) {
    bytes += entry.size
    progress.at('Reading the backup: kB', Math.round(bytes / 1000))
    if (entry.name === MANIFEST) manifest = understood(await jsonOf<Manifest>(entry))
    else if (!manifest) throw new DamagedBackup()
    else if (entry.name === KEYS) keys = await jsonOf<Keys>(entry)
    else if (entry.name.startsWith(MEDIA)) media.set(pathOf(entry.name.slice(MEDIA.length)), entry.size)
    else if (entry.name === MEDIA_LIST)
      for (const [path, { bytes: size }] of Object.entries(await jsonOf<MediaList>(entry)))
        media.set(pathOf(path), size)
  }
  if (!manifest || !keys) throw new DamagedBackup()
  progress.end()
  return { manifest, keys, media }
}

function understood(manifest: Manifest): Manifest {
  if (manifest.format !== 1 || manifest.schema > schemaOfRelease())
    throw new BadBackup(
      `This backup was made by a newer Murmur (${manifest.madeBy}). Install that release or a later one, then restore.`,
    )
  if (isBeforeFirstRelease(manifest.schema))
    throw new BadBackup(
      `This backup was made before the first release of Murmur (${manifest.madeBy}), and cannot be restored by this one. Use a later one.`,
    )
  return manifest
}

/** Checks that a path stays inside the media folder. */
function pathOf(path: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)) throw new DamagedBackup()
  return path
}
