import { fingerprintOf } from '../../integrations/media/files.ts'
import { COVER_RENDITIONS, coverPath } from '../../integrations/media/paths.ts'
import { broken, type Check, counted, fine } from '../finding.ts'
import { selectStoredFiles, selectCovers } from '../queries.ts'

/** Every stored file must exist with its size; in a deep check, also with its bytes. */
export const checkMedia: Check = async ({ db, media, isDeep }) => {
  const there = new Map<string, number>()
  for await (const { path, bytes } of media.list()) there.set(path, bytes)
  const isWhole = async (path: string, sha256: string) =>
    !isDeep || (await fingerprintOf(await media.stream(path))).sha256 === sha256
  const faults: string[] = []
  const files = await selectStoredFiles(db)
  for (const { path, sha256, bytes } of files)
    if (there.get(path) !== bytes || !(await isWhole(path, sha256))) faults.push(path)
  for (const id of await selectCovers(db)) {
    const path = coverPath(id, COVER_RENDITIONS[1])
    if (!there.get(path)) faults.push(path)
  }
  return faults.length === 0
    ? fine(
        `${counted(files.length, 'file', 'files')} of sound and text, all there${isDeep ? ' and unharmed' : ''}, and the covers.`,
      )
    : broken(
        `${counted(faults.length, 'file is', 'files are')} missing or damaged, for example media/${faults[0]}. Bring what is missing back from a backup, or import its title again.`,
      )
}
