import { HOUR_MS } from '#contract/durations.ts'
import { newestBackup } from '../../backup/retention.ts'
import type { Config } from '../../settings/config.ts'
import { broken, fine, type Finding, look } from '../finding.ts'

/** One night, plus the time that a backup takes. */
const LATE_MS = 26 * HOUR_MS

type Settings = Pick<Config, 'backupTo' | 'backupPassphrase' | 'demo'>

export async function checkBackups(
  { backupTo, backupPassphrase, demo }: Settings,
  now = new Date(),
): Promise<Finding> {
  if (!backupTo)
    return demo
      ? fine('A demo is not saved.')
      : look('No backup is made by itself. Set BACKUP_TO to a folder on another disk.')
  const madeAt = await newestBackup(backupTo)
  if (!madeAt) return look(`There is no backup in ${backupTo} yet; the running shop makes one each night.`)
  const hours = Math.floor((now.getTime() - madeAt.getTime()) / HOUR_MS)
  if (hours * HOUR_MS > LATE_MS)
    return broken(
      `The newest backup in ${backupTo} is ${hours} hours old. Look into the log for the job “backup”.`,
    )
  if (!backupPassphrase)
    return look(
      `The backups in ${backupTo} are not encrypted. Set BACKUP_PASSPHRASE, and write it down elsewhere.`,
    )
  return fine(`The newest backup in ${backupTo} is ${hours} hours old.`)
}
