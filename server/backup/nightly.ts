import { createReadStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isThere, storeStream } from '../outside/media/store.ts'
import type { Config } from '../settings/config.ts'
import { backupsIn, nameAt, newestBackup, worthKeeping } from './kept.ts'
import { makeBackup } from './make.ts'
import { listMedia } from './media-files.ts'

type Saved = Pick<Config, 'dataDir' | 'databaseUrl' | 'appKeys' | 'codeKey' | 'backupPassphrase'>

/**
 * A backup in the folder, and beside all of them one copy of the media, which never change: what is new is added. One that
 * was made since is enough. What is older than it has to be is removed once the new one is there.
 */
export async function backUpSince(shop: Saved, folder: string, since: Date, now: Date): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const newest = await newestBackup(folder)
  if (newest && newest >= since) return false
  const unfinished = join(folder, 'unfinished')
  await rm(unfinished, { force: true })
  await makeBackup({ shop, file: unfinished, passphrase: shop.backupPassphrase, media: 'list', now })
  await copyMedia(join(shop.dataDir, 'media'), join(folder, 'media'))
  await rename(unfinished, join(folder, nameAt(now)))
  const made = await backupsIn(folder)
  const kept = new Set(worthKeeping(made.map(({ madeAt }) => madeAt)))
  for (const { name, madeAt } of made) if (!kept.has(madeAt)) await rm(join(folder, name))
  return true
}

async function copyMedia(from: string, to: string): Promise<void> {
  for (const { path, bytes } of await listMedia(from))
    if (!(await isThere(join(to, path), bytes)))
      await storeStream(join(to, path), createReadStream(join(from, path)))
}
