import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isThere, storeStream } from '../integrations/media/files.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import type { Config } from '../settings/config.ts'
import { backupsIn, nameAt, newestBackup, worthKeeping } from './retention.ts'
import { makeBackup } from './create-backup.ts'

type Saved = Pick<Config, 'dataDir' | 'databaseUrl' | 'appKeys' | 'codeKey' | 'backupPassphrase'>

/**
 * Makes a nightly backup unless one was made since `since`. All backups of a folder share one copy of the media, which
 * never change, so only new files are added. Old backups are deleted after the new one is complete.
 */
export async function backUpSince(
  shop: Saved,
  store: MediaStore,
  folder: string,
  since: Date,
  now: Date,
): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const newest = await newestBackup(folder)
  if (newest && newest >= since) return false
  const unfinished = join(folder, 'unfinished')
  await rm(unfinished, { force: true })
  await makeBackup({ shop, store, file: unfinished, passphrase: shop.backupPassphrase, media: 'list', now })
  await copyMedia(store, join(folder, 'media'))
  await rename(unfinished, join(folder, nameAt(now)))
  const made = await backupsIn(folder)
  const kept = new Set(worthKeeping(made.map(({ madeAt }) => madeAt)))
  for (const { name, madeAt } of made) if (!kept.has(madeAt)) await rm(join(folder, name))
  return true
}

async function copyMedia(from: MediaStore, to: string): Promise<void> {
  for await (const { path, bytes } of from.list())
    if (!(await isThere(join(to, path), bytes))) await storeStream(join(to, path), await from.stream(path))
}
