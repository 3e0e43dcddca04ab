import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Client } from 'pg'
import { applyMigrations, connect, isBeforeFirstRelease, schemaOfRelease } from '../db/migrate.ts'
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
import {
  type Keys,
  KEYS,
  MANIFEST,
  type Manifest,
  MEDIA,
  MEDIA_LIST,
  type MediaList,
  SEQUENCES,
  TABLES,
} from './manifest.ts'
import { placeMedia } from './media.ts'
import { type Progress, silently } from './progress.ts'
import { markRestored } from './queries.ts'
import { restoringFolder } from '../settings/unfinished-restore.ts'
import { clusterFolder, startEmbedded } from '../db/embedded/cluster.ts'
import { takeDataFolder } from '../db/embedded/lock.ts'
import { asSetting } from '../db/errors.ts'

export interface Restored extends Verified {
  readonly rows: number
  readonly missing: readonly string[]
}

export interface Restoring {
  readonly file: string
  readonly passphrase?: string | undefined
  readonly into: Place
  readonly store?: MediaStore
  readonly withMedia?: boolean
  /** The shop was stopped before the backup: waiting mail is sent and numbers continue without a gap. */
  readonly isSameMoment?: boolean
  readonly progress?: Progress
  readonly migrations?: string
}

/** How far sequences jump ahead: numbers after the backup may be on receipts and on devices. */
const NUMBERS_AHEAD = 10_000

/** Creates a shop in an empty place; the database is committed last. @throws {BadBackup} */
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

interface Target {
  readonly client: Client
  commit(): Promise<void>
  /** Must also be called after `commit`. */
  close(): Promise<void>
}

function openTarget(into: Place, staging: string): Promise<Target> {
  return into.databaseUrl ? openPostgres(into.databaseUrl) : openEmbedded(into.dataDir, staging)
}

async function openEmbedded(dataDir: string, staging: string): Promise<Target> {
  const release = await takeDataFolder(dataDir, 0)
  try {
    refuseShopIn(dataDir)
    const embedded = await startEmbedded({ dataDir: staging, log: { info() {}, warn() {}, error() {} } })
    const client = await connect(embedded.config)
    await client.query('begin')
    let ending: Promise<void> | undefined
    const end = () => (ending ??= client.end().then(() => embedded.close()))
    return {
      client,
      async commit() {
        await commit(client)
        await end()
        await rename(clusterFolder(staging), clusterFolder(dataDir))
      },
      close: () => end().finally(release),
    }
  } catch (error) {
    release()
    throw error
  }
}

async function openPostgres(connectionString: string): Promise<Target> {
  const client = await connect({ connectionString, keepAlive: true }).catch((error: unknown) => {
    throw asSetting(error)
  })
  try {
    await client.query('begin')
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' limit 1`,
    )
    if (rows[0])
      throw new BadBackup(
        `The database is not empty: it has a table ${rows[0].name}. Make a new one (createdb --owner USER NAME) and set DATABASE_URL to it.`,
      )
    // Copying the media can exceed the server's limit for an idle transaction.
    await client.query('set local idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return { client, commit: () => commit(client), close: () => client.end() }
}

async function commit(client: Client): Promise<void> {
  await client.query('commit')
  await client.query('analyze')
}

/** Also called before the backup is read, so that the owner gets this error at once. */
function refuseShopIn(dataDir: string): void {
  if (existsSync(clusterFolder(dataDir)))
    throw new BadBackup(
      `There is a shop in ${dataDir} already. Restore into an empty folder, for example: DATA_DIR=./restored npm run restore -- FILE`,
    )
}

interface Verified {
  readonly manifest: Manifest
  readonly keys: Keys
  readonly media: ReadonlyMap<string, number>
}

/** Reads and verifies the whole backup before anything is restored. @throws {BadBackup} */
export async function verify(
  file: string,
  passphrase: string | undefined,
  progress: Progress,
): Promise<Verified> {
  let manifest: Manifest | undefined
  let keys: Keys | undefined
  let bytes = 0
  const media = new Map<string, number>()
  progress.begin('Reading the backup')
  for await (const entry of readArchive(file, passphrase)) {
    bytes += entry.size
    progress.at('Reading the backup: kB', Math.round(bytes / 1000))
    if (entry.name === MANIFEST) manifest = understood(await jsonOf<Manifest>(entry))
    else if (!manifest) throw new DamagedBackup()
    else if (entry.name === KEYS) keys = await jsonOf<Keys>(entry)
    else if (entry.name.startsWith(MEDIA)) media.set(pathOf(entry.name.slice(MEDIA.length)), entry.size)
    else if (entry.name === MEDIA_LIST)
      for (const [path, { bytes: size }] of Object.entries(await jsonOf<MediaList>(entry)))
        media.set(pathOf(path), size)
  }
  if (!manifest || !keys) throw new DamagedBackup()
  progress.end()
  return { manifest, keys, media }
}

function understood(manifest: Manifest): Manifest {
  if (manifest.format !== 1 || manifest.schema > schemaOfRelease())
    throw new BadBackup(
      `This backup was made by a newer Murmur (${manifest.madeBy}). Install that release or a later one, then restore.`,
    )
  if (isBeforeFirstRelease(manifest.schema))
    throw new BadBackup(
      `This backup was made before the first release of Murmur (${manifest.madeBy}), and cannot be restored by this one. Use a later one.`,
    )
  return manifest
}

function pathOf(path: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)) throw new DamagedBackup()
  return path
}
