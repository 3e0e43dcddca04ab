import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { isThere, storeStream } from '../outside/media/store.ts'
import type { Config } from '../settings/config.ts'
import { makeBackup } from './make.ts'
import { listMedia } from './media-files.ts'

const NAME = /^murmur-(\d{4}-\d{2}-\d{2}T\d{4}Z)\.backup$/
const FORM = "yyyy-MM-dd'T'HHmm'Z'"

const DAYS = 7
const WEEKS = 4
const MONTHS = 12

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
  await rename(
    unfinished,
    join(folder, `murmur-${DateTime.fromJSDate(now, { zone: 'utc' }).toFormat(FORM)}.backup`),
  )
  const made = await backupsIn(folder)
  const kept = new Set(worthKeeping(made.map(({ madeAt }) => madeAt)))
  for (const { name, madeAt } of made) if (!kept.has(madeAt)) await rm(join(folder, name))
  return true
}

export async function newestBackup(folder: string): Promise<Date | undefined> {
  return (await backupsIn(folder))[0]?.madeAt
}

/** The newest of each of the last seven days, four weeks and twelve months that have any. */
export function worthKeeping(moments: readonly Date[]): Date[] {
  const newestFirst = moments.toSorted((a, b) => b.getTime() - a.getTime())
  const newestOf = (count: number, form: string) => {
    const found = new Map<string, Date>()
    for (const moment of newestFirst) {
      const period = DateTime.fromJSDate(moment, { zone: 'utc' }).toFormat(form)
      if (!found.has(period)) found.set(period, moment)
    }
    return [...found.values()].slice(0, count)
  }
  const kept = [
    ...newestOf(DAYS, 'yyyy-MM-dd'),
    ...newestOf(WEEKS, "kkkk-'W'WW"),
    ...newestOf(MONTHS, 'yyyy-MM'),
  ]
  return newestFirst.filter((moment) => kept.includes(moment))
}

/** The newest first. What has another name is not ours. */
async function backupsIn(folder: string): Promise<{ name: string; madeAt: Date }[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .flatMap((name) => {
      const moment = NAME.exec(name)?.[1]
      return moment ? [{ name, madeAt: DateTime.fromFormat(moment, FORM, { zone: 'utc' }).toJSDate() }] : []
    })
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

async function copyMedia(from: string, to: string): Promise<void> {
  for (const { path, bytes } of await listMedia(from))
    if (!(await isThere(join(to, path), bytes)))
      await storeStream(join(to, path), createReadStream(join(from, path)))
}
