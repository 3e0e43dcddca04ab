import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { isThere, storeStream } from '../integrations/media/files.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import type { Config } from '../settings/config.ts'
import { type Progress, silently } from './progress.ts'

export type Saved = Pick<Config, 'dataDir' | 'databaseUrl' | 'appKeys' | 'codeKey' | 'backupPassphrase'>

/** All backups of a folder share one copy of the media. Old backups are deleted after the new one is complete. */
export async function backUpSince(
  shop: Saved,
  store: MediaStore,
  folder: string,
  since: Date,
  now: Date,
  progress: Progress = silently,
): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const newest = await newestBackup(folder)
  if (newest && newest >= since) return false
  // Loaded on demand: each start imports this file to see when the last backup was made.
  const { makeBackup } = await import('./create-backup.ts')
  const unfinished = join(folder, 'unfinished')
  await rm(unfinished, { force: true })
  const passphrase = shop.backupPassphrase
  await makeBackup({ shop, store, file: unfinished, passphrase, media: 'list', now, progress })
  await copyMedia(store, join(folder, 'media'), progress)
  await rename(unfinished, join(folder, nameAt(now)))
  const made = await backupsIn(folder)
  const kept = new Set(worthKeeping(made.map(({ madeAt }) => madeAt)))
  for (const { name, madeAt } of made) if (!kept.has(madeAt)) await rm(join(folder, name))
  return true
}

async function copyMedia(from: MediaStore, to: string, progress: Progress): Promise<void> {
  let files = 0
  for await (const { path, bytes } of from.list()) {
    if (!(await isThere(join(to, path), bytes))) await storeStream(join(to, path), await from.stream(path))
    progress.at('Sound, e-books and pictures copied', (files += 1))
  }
}

const NAME = /^murmur-(\d{4}-\d{2}-\d{2}T\d{4}Z)\.backup$/
const FORM = "yyyy-MM-dd'T'HHmm'Z'"

const DAYS = 7
const WEEKS = 4
const MONTHS = 12

const nameAt = (moment: Date): string =>
  `murmur-${DateTime.fromJSDate(moment, { zone: 'utc' }).toFormat(FORM)}.backup`

/** The newest first, with their sizes. */
export async function newestBackups(
  folder: string,
  most: number,
): Promise<{ name: string; madeAt: Date; bytes: number }[]> {
  const made = (await backupsIn(folder)).slice(0, most)
  const sizes = await Promise.all(made.map(({ name }) => stat(join(folder, name)).catch(() => undefined)))
  return made.map((each, index) => ({ ...each, bytes: sizes[index]?.size ?? 0 }))
}

async function backupsIn(folder: string): Promise<{ name: string; madeAt: Date }[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .flatMap((name) => {
      const moment = NAME.exec(name)?.[1]
      return moment ? [{ name, madeAt: DateTime.fromFormat(moment, FORM, { zone: 'utc' }).toJSDate() }] : []
    })
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
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
