import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { COVER_RENDITIONS, coverPath } from '../../outside/media/paths.ts'
import { fingerprint } from '../../outside/media/store.ts'
import { broken, type Check, counted, fine } from '../finding.ts'
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
        `${counted(files.length, 'file', 'files')} of sound and text, all there${isDeep ? ' and unharmed' : ''}, and the covers.`,
      )
    : broken(
        `${counted(faults.length, 'file is', 'files are')} missing or damaged, for example media/${faults[0]}. Bring what is missing back from a backup, or import its title again.`,
      )
}
