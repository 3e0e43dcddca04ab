import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../settings/config.ts'
import { broken, fine, type Finding } from '../finding.ts'

export function checkPermissions({ dataDir, backupTo }: Pick<Config, 'dataDir' | 'backupTo'>): Finding {
  for (const folder of [dataDir, join(dataDir, 'media'), ...(backupTo ? [backupTo] : [])])
    if (existsSync(folder) && !mayWrite(folder))
      return broken(`This user may not write into ${folder}. Give it the folder: chown -R USER ${folder}`)
  if (process.platform !== 'win32')
    for (const key of ['app.key', 'code.key'].map((name) => join(dataDir, name)))
      if (existsSync(key) && (statSync(key).mode & 0o077) !== 0)
        return broken(`Others on this machine can read ${key}. Take that from them: chmod 600 ${key}`)
  return fine('Folders can be written, and nobody else reads the keys.')
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
