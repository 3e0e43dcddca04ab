import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Client } from 'pg'
import { applyMigrations } from '../db/migrate.ts'
import { storeStream } from '../integrations/media/files.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import { mediaFolder } from '../integrations/media/open-media.ts'
import type { Place } from '../db/snapshot.ts'
import {
  checkSelfReferences,
  deferSelfReferences,
  selectTables,
  type Sequence,
  writeRows,
  writeSequences,
} from '../db/tables.ts'
import { bufferOf, jsonOf, readArchive } from './archive.ts'
import { asBadBackup, BadBackup, DamagedBackup } from './bad-backup.ts'
import { type Keys, MEDIA, MEDIA_LIST, type MediaList, SEQUENCES, TABLES } from './manifest.ts'
import { placeMedia } from './media.ts'
import { type Progress, silently } from './progress.ts'
import { markRestored } from './queries.ts'
import { restoringFolder } from '../settings/unfinished-restore.ts'
import { openTarget, refuseShopIn } from './target.ts'
import { type Verified, verify } from './verify.ts'

export interface Restored extends Verified {
  readonly rows: number
  readonly missing: readonly string[]
}

export interface Restoring {
  readonly file: string
  readonly passphrase?: string | undefined
  readonly into: Place
  /** Without one, media go into the folder of `into`. */
  readonly store?: MediaStore
  readonly withMedia?: boolean
  /**
   * For moving to another PostgreSQL major version: the shop was stopped before the backup, so nothing happened since.
   * Waiting mail is sent and numbers continue without a gap.
   */
  readonly isSameMoment?: boolean
  readonly progress?: Progress
  readonly migrations?: string
}

/** How far sequences jump ahead: numbers after the backup may be on receipts and on devices. */
const NUMBERS_AHEAD = 10_000

/**
 * Creates a shop from a backup in an empty place. The backup is read and verified first, then unpacked in a working
 * folder; the database is committed last, so an interrupted restore leaves no shop.
 *
 * @throws {BadBackup}
 */
export async function restoreBackup({
  file: given,
  passphrase,
  into,
  store = mediaFolder(into.dataDir),
  withMedia = true,
  isSameMoment = false,
  progress = silently,
  migrations,
}: Restoring): Promise<Restored> {
  const file = resolve(given)
  if (!into.databaseUrl) refuseShopIn(into.dataDir)
  const verified = await verify(file, passphrase, progress)
  refuseOtherKeys(into.dataDir, verified.keys)
  const staging = restoringFolder(into.dataDir)
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  try {
    const target = await openTarget(into, staging)
    try {
      const read = await readInto(target.client, {
        file,
        passphrase,
        verified,
        progress,
        staging,
        withMedia,
        migrations,
        isSameMoment,
      })
      const { dataDir } = into
      const listed = withMedia ? read.listed : {}
      const missing = await placeMedia({
        store,
        staging,
        listed,
        beside: join(dirname(file), 'media'),
        progress,
      })
      writeKeys(dataDir, verified.keys)
      await target.commit()
      progress.end()
      return { ...verified, rows: read.rows, missing }
    } finally {
      await target.close()
    }
  } catch (error) {
    throw asBadBackup(error, `The shop could not be restored into ${into.dataDir}`)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const keyFiles = (dataDir: string, { appKeys, codeKey }: Keys) =>
  [
    { file: join(dataDir, 'app.key'), text: appKeys.join(',') },
    { file: join(dataDir, 'code.key'), text: codeKey },
  ] as const

/** @throws {BadBackup} if the folder contains keys of another shop */
function refuseOtherKeys(dataDir: string, keys: Keys): void {
  for (const { file, text } of keyFiles(dataDir, keys))
    if (existsSync(file) && readFileSync(file, 'utf8').trim() !== text)
      throw new BadBackup(`${file} is the key of another shop. Restore into an empty folder.`)
}

function writeKeys(dataDir: string, keys: Keys): void {
  for (const { file, text } of keyFiles(dataDir, keys)) writeFileSync(file, text, { mode: 0o600 })
}

interface Reading extends Pick<Restoring, 'file' | 'passphrase'> {
  readonly migrations: string | undefined
  readonly verified: Verified
  readonly progress: Progress
  readonly staging: string
  readonly withMedia: boolean
  readonly isSameMoment: boolean
}

async function readInto(
  client: Client,
  { file, passphrase, verified, progress, staging, withMedia, isSameMoment, migrations: folder }: Reading,
): Promise<{ rows: number; listed: MediaList }> {
  const { schema, madeAt } = verified.manifest
  let rows = 0
  let listed: MediaList = {}
  await applyMigrations(client, { until: schema, folder })
  const tables = await selectTables(client)
  await deferSelfReferences(client, tables)
  for await (const entry of readArchive(file, passphrase)) {
    const { name } = entry
    if (name.startsWith(TABLES)) {
      const table = tables.find((each) => name.startsWith(`${TABLES}${each.name}/`))
      if (!table) throw new DamagedBackup()
      rows += await writeRows(client, table, (await unzipped(await bufferOf(entry))).toString())
      progress.at('Rows', rows)
    } else if (name === SEQUENCES)
      await writeSequences(client, await jsonOf<Sequence[]>(entry), isSameMoment ? 0 : NUMBERS_AHEAD)
    else if (name === MEDIA_LIST) listed = await jsonOf<MediaList>(entry)
    else if (name.startsWith(MEDIA) && withMedia) await storeStream(join(staging, name), entry.content)
  }
  await checkSelfReferences(client, tables)
  await applyMigrations(client, { after: schema, folder })
  if (!isSameMoment) await markRestored(client, madeAt)
  return { rows, listed }
}

const unzipped = promisify(gunzip)
