import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { HOUR_MS } from '#contract/durations.ts'
import { sizeInWords } from '../backup/progress.ts'
import { newestBackup } from '../backup/nightly.ts'
import { spaceOf } from '../http/disk-space.ts'
import type { Config } from '../settings/config.ts'
import { isLoopback } from '../settings/demo-mode.ts'
import { restoringFolder } from '../settings/unfinished-restore.ts'
import { broken, fine, look, type Result } from './check.ts'

/** Working space for an embedded database, an import and a backup. */
const LITTLE_BYTES = 2e9
const TOO_LITTLE_BYTES = 300e6
/** A server uses up to 230 MB, its embedded PostgreSQL up to another 100 MB (bench/README.md). */
const SERVER_BYTES = 300e6
const EMBEDDED_BYTES = 150e6
/** One night, plus the time that a backup takes. */
const LATE_BACKUP_MS = 26 * HOUR_MS

export function checkSettings({ demo, publicUrl, smtpUrl }: Config): Result {
  if (demo) return fine('This is the demo.')
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname))
    return look(`Mails and receipts lead to ${publicUrl}.`, 'Set PUBLIC_URL to the address of your shop.')
  if (protocol !== 'https:')
    return look(`${publicUrl} is not encrypted.`, 'Put https in front and set PUBLIC_URL to it.')
  return smtpUrl ? fine(`The shop is at ${publicUrl}.`) : noMailServer()
}

export const checkMailServer = ({ config }: { readonly config: Pick<Config, 'smtpUrl'> }): Result =>
  config.smtpUrl ? fine('SMTP_URL is set.') : noMailServer()

const noMailServer = () => look('No email goes out until SMTP_URL is set; until then it waits.')

export function checkPermissions({ dataDir, backupTo }: Pick<Config, 'dataDir' | 'backupTo'>): Result {
  for (const folder of [dataDir, join(dataDir, 'media'), ...(backupTo ? [backupTo] : [])])
    if (existsSync(folder) && !mayWrite(folder))
      return broken(`This user may not write into ${folder}.`, `Give it the folder: chown -R USER ${folder}`)
  if (process.platform !== 'win32')
    for (const key of ['app.key', 'code.key'].map((name) => join(dataDir, name)))
      if (existsSync(key) && (statSync(key).mode & 0o077) !== 0)
        return broken(`Others on this machine can read ${key}.`, `Take that from them: chmod 600 ${key}`)
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

export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Result> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { freeBytes, sizeBytes } = await spaceOf(folder)
  return roomOf(freeBytes, sizeBytes, dataDir)
}

const MAKE_ROOM =
  'Move old backups and other programs’ files to another disk, remove media that nothing names (npm run media:sweep), or give it a larger disk.'

export function roomOf(free: number, all: number, dataDir: string): Result {
  const says = `${sizeInWords(free)} of ${sizeInWords(all)} are free for ${dataDir}.`
  if (free < TOO_LITTLE_BYTES)
    return broken(`Only ${says}`, `While it is full, orders are refused. ${MAKE_ROOM}`)
  return free < LITTLE_BYTES || free < all / 20 ? look(`Only ${says}`, MAKE_ROOM) : fine(says)
}

export function checkMemory({ databaseUrl }: Pick<Config, 'databaseUrl'>): Result {
  const limit = process.constrainedMemory()
  return memoryOf(limit > 0 && limit < totalmem() ? limit : totalmem(), databaseUrl === undefined)
}

export function memoryOf(all: number, isEmbedded: boolean): Result {
  const needed = SERVER_BYTES + (isEmbedded ? EMBEDDED_BYTES : 0)
  return all < needed
    ? look(
        `This machine has ${sizeInWords(all)} of memory, and the shop wants ${sizeInWords(needed)}.`,
        isEmbedded
          ? `Give it more, or set DATABASE_URL to a PostgreSQL elsewhere: the shop then wants ${sizeInWords(SERVER_BYTES)}.`
          : 'Give it more, or fewer other programs.',
      )
    : fine(`${sizeInWords(all)} of memory are enough.`)
}

export async function checkBackups(
  { backupTo, backupPassphrase, demo }: Pick<Config, 'backupTo' | 'backupPassphrase' | 'demo'>,
  now = new Date(),
): Promise<Result> {
  if (!backupTo)
    return demo
      ? fine('A demo is not saved.')
      : look('No backup is made automatically.', 'Set BACKUP_TO to a folder on another disk.')
  const madeAt = await newestBackup(backupTo)
  if (!madeAt) return look(`There is no backup in ${backupTo} yet; the running shop makes one each night.`)
  const hours = Math.floor((now.getTime() - madeAt.getTime()) / HOUR_MS)
  if (hours * HOUR_MS > LATE_BACKUP_MS)
    return broken(
      `The newest backup in ${backupTo} is ${hours} hours old.`,
      'Look into the log for the job “backup”.',
    )
  if (!backupPassphrase)
    return look(
      `The backups in ${backupTo} are not encrypted.`,
      'Set BACKUP_PASSPHRASE, and write it down elsewhere.',
    )
  return fine(`The newest backup in ${backupTo} is ${hours} hours old.`)
}

/** Without a shop the server refuses to start (server/db/open.ts). */
export function checkUnfinishedRestore({ dataDir }: Pick<Config, 'dataDir'>): Result {
  const folder = restoringFolder(dataDir)
  if (!existsSync(folder)) return fine('No restore was interrupted.')
  return look(
    `${folder} is left over from a restore that was interrupted.`,
    'If this is the shop you expect, remove the folder; if not, run the restore again, into an empty place.',
  )
}
