import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadBackup } from './bad-backup.ts'
import type { Keys } from './manifest.ts'

const filesOf = (dataDir: string, { appKeys, codeKey }: Keys) =>
  [
    { file: join(dataDir, 'app.key'), text: appKeys.join(',') },
    { file: join(dataDir, 'code.key'), text: codeKey },
  ] as const

/** @throws {BadBackup} if the folder contains keys of another shop */
export function refuseOtherKeys(dataDir: string, keys: Keys): void {
  for (const { file, text } of filesOf(dataDir, keys))
    if (existsSync(file) && readFileSync(file, 'utf8').trim() !== text)
      throw new BadBackup(`${file} is the key of another shop. Restore into an empty folder.`)
}

export function writeKeys(dataDir: string, keys: Keys): void {
  for (const { file, text } of filesOf(dataDir, keys)) writeFileSync(file, text, { mode: 0o600 })
}
