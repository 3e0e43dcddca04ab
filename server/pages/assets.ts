import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash, randomUUID } from 'node:crypto'
import { answer } from '../http/error-responses.ts'
import { notFound } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'
import { OWNERS_FILES } from './shop-pictures.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'

const DIST = join(import.meta.dirname, '../../dist')
export const CLIENT = join(DIST, 'client')

const keptIn = (dataDir: string) => join(dataDir, 'assets')

/** Copies this release's files, so that pages still open after the next upgrade can load them. */
export async function keepAssets({ config, log, now }: Pick<Shop, 'config' | 'log' | 'now'>): Promise<void> {
  const assets = join(DIST, 'client/assets')
  if (config.dev || !existsSync(assets)) return
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools/build.ts writes it
    const build = JSON.parse(await readFile(join(DIST, 'built.json'), 'utf8')) as Build
    await keepRelease(keptIn(config.dataDir), assets, build, now())
  } catch (error) {
    log.warn({ err: error }, 'the files of this release could not be copied to DATA_DIR/assets')
  }
}

/** The built client: hashed files are cached for ever; the service worker and the manifest are always revalidated. */
export async function serveAssets(
  app: FastifyInstance,
  { dataDir, client = CLIENT }: { dataDir: string; client?: string },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: client,
    prefix: '/',
    index: false,
    preCompressed: true,
    wildcard: false,
    globIgnore: ['**/.vite/**', '**/index.html', '**/*.br', '**/*.gz', ...OWNERS_FILES],
    cacheControl: false,
    // Each file has an entity tag, and a first visit fetches twenty files.
    lastModified: false,
    acceptRanges: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (!path.includes('service-worker.js')) return
      reply.header('service-worker-allowed', '/')
      // The worker's own requests follow the policy that its script was served with.
      reply.header('content-security-policy', "default-src 'self'")
    },
  })
  const folderOf = keptAssets(keptIn(dataDir))
  app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
    const folder = await folderOf(file)
    return folder ? reply.sendFile(file, folder) : answer(reply, notFound())
  })
}

/** Pages opened before an upgrade request old files; during a rolling upgrade, old servers are asked for new ones. */
const KEPT_RELEASES = 3
const KEPT_MS = 30 * DAY_MS
const LEFT_OVER_MS = HOUR_MS
const RECORD = /^([0-9a-f]{16})\.json$/

interface Build {
  readonly version?: string
  readonly commit?: string | null
  readonly builtAt?: string
}

interface ReleaseRecord extends Build {
  readonly startedAt: string
  /** When another release started; null for the newest one. */
  readonly replacedAt: string | null
  readonly files: readonly string[]
}

interface Release extends ReleaseRecord {
  readonly id: string
}

/** Call at each start, before the first page. Safe with several servers and after a crash. */
export async function keepRelease(kept: string, assets: string, build: Build, now: Date): Promise<void> {
  const names = (await readdir(assets)).toSorted()
  const id = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
  await mkdir(kept, { recursive: true })
  const record = {
    ...build,
    startedAt: now.toISOString(),
    replacedAt: null,
    files: names.filter((name) => !/\.(?:br|gz)$/.test(name)),
  }
  // Another server may remove this release now: write the record before checking the folder; `remove` is the reverse.
  do {
    if (!(await isWhole(assets, join(kept, id), names))) await copyWhole(assets, join(kept, id))
    await writeRecord(kept, id, record)
  } while (!(await isThere(join(kept, id))))

  for (const { id: other, ...older } of await releasesIn(kept))
    if (other !== id && older.replacedAt === null)
      await writeRecord(kept, other, { ...older, replacedAt: record.startedAt })
  for (const old of tooOld(await releasesIn(kept), now)) await remove(kept, old.id)
  await removeLeftOvers(kept, now)
}

function keptAssets(kept: string): (file: string) => Promise<string | undefined> {
  // A release's id is a hash of its file names, so its list never changes.
  const lists = new Map<string, ReadonlySet<string>>()
  return async (file) => {
    for (const id of await idsIn(kept)) {
      const list = lists.get(id) ?? new Set((await readRecord(kept, id))?.files)
      lists.set(id, list)
      if (list.has(file)) return join(kept, id)
    }
    return undefined
  }
}

function tooOld(releases: readonly Release[], now: Date): Release[] {
  const until = ({ replacedAt }: Release) => (replacedAt ? Date.parse(replacedAt) : Infinity)
  return releases
    .toSorted((a, b) => until(b) - until(a))
    .slice(KEPT_RELEASES)
    .filter((release) => until(release) < now.getTime() - KEPT_MS)
}

async function remove(kept: string, id: string): Promise<void> {
  const folder = join(kept, id)
  const gone = `${folder}.${randomUUID()}.gone`
  await rm(join(kept, `${id}.json`), { force: true })
  const isMoved = await rename(folder, gone).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  // The release was started again meanwhile: restore the folder, unless there is a new one already.
  if (await isThere(join(kept, `${id}.json`))) await rename(gone, folder).catch(() => undefined)
  await rm(gone, { recursive: true, force: true })
}

async function removeLeftOvers(kept: string, now: Date): Promise<void> {
  for (const name of await readdir(kept)) {
    if (!/\.(?:part|gone)$/.test(name)) continue
    const found = await stat(join(kept, name)).catch(() => undefined)
    if (found && found.mtimeMs < now.getTime() - LEFT_OVER_MS)
      await rm(join(kept, name), { recursive: true, force: true })
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  const part = `${to}.${randomUUID()}.part`
  await cp(from, part, { recursive: true, mode: constants.COPYFILE_FICLONE })
  // A folder with empty files after a power cut is replaced.
  const gone = `${to}.${randomUUID()}.gone`
  await rename(to, gone).catch(() => undefined)
  await rename(part, to).catch(() => undefined)
  for (const folder of [part, gone]) await rm(folder, { recursive: true, force: true })
}

async function isWhole(from: string, to: string, names: readonly string[]): Promise<boolean> {
  const sizes = (folder: string) =>
    Promise.all(names.map(async (name) => (await stat(join(folder, name))).size)).catch(() => [])
  return String(await sizes(from)) === String(await sizes(to))
}

async function writeRecord(kept: string, id: string, record: ReleaseRecord): Promise<void> {
  const part = join(kept, `${id}.${randomUUID()}.part`)
  await writeFile(part, JSON.stringify(record))
  await rename(part, join(kept, `${id}.json`))
}

async function readRecord(kept: string, id: string): Promise<ReleaseRecord | undefined> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeRecord` writes it
    return JSON.parse(await readFile(join(kept, `${id}.json`), 'utf8')) as ReleaseRecord
  } catch {
    return undefined
  }
}

async function releasesIn(kept: string): Promise<Release[]> {
  const all = (await idsIn(kept)).map(async (id) => ({ id, record: await readRecord(kept, id) }))
  return (await Promise.all(all)).flatMap(({ id, record }) => (record ? [{ ...record, id }] : []))
}

const idsIn = async (kept: string): Promise<string[]> =>
  (await readdir(kept).catch(() => [])).flatMap((name) => RECORD.exec(name)?.[1] ?? [])

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
