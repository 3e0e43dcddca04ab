import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BadSetting } from './bad-setting.ts'

/** If it exists, a restore is running or was interrupted. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring')

export const unfinishedRestore = (dataDir: string): BadSetting =>
  new BadSetting(
    `The restore into ${dataDir} did not finish, so there is no shop yet. Run it again: npm run restore -- FILE. ` +
      `To open an empty shop there instead, remove ${restoringFolder(dataDir)}.`,
  )

/** New keys or an empty shop would prevent running the restore again. @throws {BadSetting} */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(restoringFolder(dataDir)) && !existsSync(join(dataDir, 'postgres')))
    throw unfinishedRestore(dataDir)
}
