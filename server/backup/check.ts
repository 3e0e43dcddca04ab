import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCodeKey } from '../codes/check-key.ts'
import { type Db, openDatabase } from '../db/open.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { restoreBackup, type Restored, type Restoring } from './restore.ts'
import { countThings, selectStoredFiles } from './queries.ts'

export interface Checked {
  readonly found: string
  readonly faults: readonly string[]
}

/** Restores into a new embedded database, checks it, and deletes it again. @throws {BadBackup} */
export async function checkBackup(
  backup: Pick<Restoring, 'file' | 'passphrase' | 'progress'>,
): Promise<Checked> {
  const dataDir = await mkdtemp(join(tmpdir(), 'murmur-check-'))
  try {
    const restored = await restoreBackup({ ...backup, into: { dataDir }, withMedia: false })
    const database = await openDatabase({ dataDir })
    try {
      return await lookAt(database.db, restored)
    } finally {
      await database.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function lookAt(db: Db, { manifest, keys, media, rows }: Restored): Promise<Checked> {
  const faults: string[] = []
  await checkCodeKey(db, keys).catch((error: unknown) => {
    if (!(error instanceof BadSetting)) throw error
    faults.push(
      'Its code key is not the one that its cards and gifts were made with: they would open nothing.',
    )
  })
  const stored = await selectStoredFiles(db)
  const lacking = stored.filter(({ path, bytes }) => media.get(path) !== bytes)
  if (lacking.length > 0)
    faults.push(
      `${lacking.length} of ${stored.length} files of sound and text are not in it, for example ${lacking[0]!.path}.`,
    )
  const { titles, accounts, orders } = await countThings(db)
  const found = `Made ${manifest.madeAt.slice(0, 16).replace('T', ' ')} (UTC): ${rows.toLocaleString('en-GB')} rows, among them ${titles} titles, ${accounts} accounts and ${orders} orders; ${media.size} files.`
  return { found, faults }
}
