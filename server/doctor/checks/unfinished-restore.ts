import { existsSync } from 'node:fs'
import { restoringFolder } from '../../settings/unfinished-restore.ts'
import { fine, look, type QuickCheck } from '../finding.ts'

/**
 * Reports the folder of an interrupted restore if the shop exists. Without a shop the server refuses to start
 * (server/db/open.ts).
 */
export const checkUnfinishedRestore: QuickCheck = ({ dataDir }) => {
  const folder = restoringFolder(dataDir)
  if (!existsSync(folder)) return fine('No restore was interrupted.')
  return look(
    `${folder} is left over from a restore that was interrupted. If this is the shop you expect, remove the folder; if not, run the restore again, into an empty place.`,
  )
}
