import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { COVER_RENDITIONS, coverPath } from '../../outside/media/paths.ts'
import { fingerprint } from '../../outside/media/store.ts'
import { broken, type Check, fine } from '../finding.ts'
import { selectStoredFiles, selectCovers } from '../rows.ts'

/** Every file that the shop speaks of is there, with its size; when it is looked at deeply, with its bytes. */
export const checkMedia: Check = async ({ db, config: { dataDir }, isDeep }) => {
  const mediaDir = join(dataDir, 'media')
  const faults: string[] = []
  const files = await selectStoredFiles(db)
  for (const { path, sha256, bytes } of files) {
    const found = await stat(join(mediaDir, path)).catch(() => undefined)
    if (found?.size !== bytes) faults.push(path)
    else if (isDeep && (await fingerprint(join(mediaDir, path))).sha256 !== sha256) faults.push(path)
  }
  for (const id of await selectCovers(db)) {
    const path = coverPath(mediaDir, id, COVER_RENDITIONS[1])
    if (!(await stat(path).catch(() => undefined))?.size) faults.push(path.slice(mediaDir.length + 1))
  }
  return faults.length === 0
    ? fine(
        `All ${files.length} files of sound and text are there${isDeep ? ' and unharmed' : ''}, and the covers.`,
      )
    : broken(
        `${faults.length} files are missing or damaged, for example media/${faults[0]}. Bring them back from a backup, or import their titles again.`,
      )
}
