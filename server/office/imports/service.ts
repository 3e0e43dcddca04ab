import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundHere, ImportBatch, Said } from '#contract/office/imports.ts'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { act } from '../../features/activity/service.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { counted } from '../../print/table.ts'
import type { Shop } from '../../shop.ts'
import {
  type BatchRow,
  claimBatch,
  countBatches,
  deleteBatch,
  deleteOldBatches,
  insertBatch,
  selectBatch,
  selectRecordings,
  updateBatch,
} from './queries.ts'
import { unpackArchives } from './unpack.ts'
import { folderOf, receivedFiles, removeUnfinished, removeUploads } from './uploads.ts'

/** The importer, which the server doesn't know: `main.ts` brings it. */
export type ImportUploads = (
  shop: Pick<Shop, 'db' | 'media' | 'config'>,
  folder: string,
  options: {
    readonly dryRun: boolean
    /** Those to bring in; all without it. */
    readonly only?: ReadonlySet<string>
    readonly onFound: (found: FoundHere) => Promise<void>
  },
) => Promise<void>

const OPEN_AT_MOST = 5
const KEPT_DAYS = 7
const STUCK_MS = 3 * MINUTE_MS

/** @throws 422 if too many are open */
export async function startImport(shop: Shop, { staffId }: StaffCaller): Promise<{ id: string }> {
  if ((await countBatches(shop.db, staffId)) >= OPEN_AT_MOST)
    throw refused(`${OPEN_AT_MOST} imports of yours are open. Finish or throw away one of them.`)
  return { id: await insertBatch(shop.db, staffId, 'uploading', shop.now()) }
}

/** The upload of a recording, which is no import. The oldest of too many makes room: nobody goes back to it. */
export async function startRecording(shop: Shop, staff: StaffCaller): Promise<{ id: string }> {
  const open = await selectRecordings(shop.db, staff.staffId)
  for (const id of open.slice(0, Math.max(0, open.length - OPEN_AT_MOST + 1))) await removeBatch(shop, id)
  return { id: await insertBatch(shop.db, staff.staffId, 'recording', shop.now()) }
}

/** @throws 404, also for another's */
export async function recordingOf(shop: Shop, { staffId }: StaffCaller, id: string): Promise<BatchRow> {
  const batch = await selectBatch(shop.db, id, staffId)
  if (batch?.state !== 'recording') throw notFound()
  return batch
}

export async function removeBatch(shop: Shop, id: string): Promise<void> {
  await deleteBatch(shop.db, id)
  await removeUploads(shop, id)
}

/** @throws 404, also for another's */
export async function batchOf(shop: Shop, { staffId }: StaffCaller, id: string): Promise<ImportRow> {
  const batch = await selectBatch(shop.db, id, staffId)
  if (!batch || !isImport(batch)) throw notFound()
  return batch
}

type ImportRow = BatchRow & { readonly state: Exclude<BatchRow['state'], 'recording'> }
export const isImport = (batch: BatchRow): batch is ImportRow => batch.state !== 'recording'

const isStuck = (shop: Shop, { state, updatedAt }: ImportRow): boolean =>
  (state === 'reading' || state === 'importing') && shop.now().getTime() - updatedAt.getTime() > STUCK_MS

export async function showBatch(shop: Shop, batch: ImportRow): Promise<ImportBatch> {
  const { id, createdAt, state, report, doneCount, problem } = batch
  return {
    id,
    createdAt: createdAt.toISOString(),
    state,
    isStuck: isStuck(shop, batch),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `run` writes it
    report: report as unknown as FoundHere[],
    doneCount,
    problem,
    received: await receivedFiles(shop, id),
  }
}

interface Run {
  readonly state: 'reading' | 'importing'
  /** The folders to read or bring in; all without it. */
  readonly only?: ReadonlySet<string>
  /** Of an earlier run: its titles keep their places. */
  readonly report?: readonly FoundHere[]
  /** Changes the uploaded files before they are read. */
  readonly prepare?: () => Promise<void>
}

/** Starts a run and returns at once; the batch says how far it is. @throws 422 if one runs already */
async function run(
  shop: Shop,
  importUploads: ImportUploads,
  { id }: ImportRow,
  { state, only, report: former = [], prepare }: Run,
): Promise<() => Promise<void>> {
  const stuckBefore = new Date(shop.now().getTime() - STUCK_MS)
  const keepsReport = state === 'importing' || only !== undefined
  if (!(await claimBatch(shop.db, id, state, { now: shop.now(), stuckBefore, keepsReport })))
    throw refused('It is being read or brought in already.')
  return async () => {
    let report = [...former]
    let doneCount = 0
    const onFound = async (found: FoundHere) => {
      const at = report.findIndex(({ folder }) => folder === found.folder)
      if (at < 0) report.push(found)
      else report[at] = found
      doneCount += 1
      await updateBatch(shop.db, id, { doneCount, report }, shop.now())
    }
    try {
      await prepare?.()
      if (state === 'reading') {
        const archives = await unpackArchives(shop, id)
        // The same archive, sent again, has another outcome.
        report = report.filter(({ folder }) => !archives.has(folder))
        for (const line of archives.values()) if (line) await onFound(line)
      }
      await importUploads(shop, folderOf(shop, id), {
        dryRun: state === 'reading',
        ...(only ? { only } : {}),
        onFound,
      })
      await updateBatch(shop.db, id, { state: state === 'importing' ? 'done' : 'found', report }, shop.now())
      if (state === 'importing') await removeUploads(shop, id)
    } catch (error) {
      shop.log.error({ err: error }, 'an import of the office failed')
      const problem = error instanceof Error ? error.message.slice(0, 500) : 'It failed.'
      await updateBatch(shop.db, id, { state: 'failed', report, problem }, shop.now())
    }
  }
}

export async function readBatch(
  shop: Shop,
  importUploads: ImportUploads,
  staff: StaffCaller,
  id: string,
): Promise<void> {
  const batch = await batchOf(shop, staff, id)
  if (batch.state === 'done') throw refused('This import is done. Begin another one.')
  const { report } = await showBatch(shop, batch)
  const work = await run(shop, importUploads, batch, { state: 'reading', report: report.filter(isOfArchive) })
  void work()
}

/** Archives are gone once they were unpacked, so that reading again can't report them. */
const isOfArchive = ({ folder }: FoundHere): boolean => /\.zip$/i.test(folder)

/** @throws 404, 422 for a folder that the report doesn't have */
export async function correctBatch(
  shop: Shop,
  importUploads: ImportUploads,
  staff: StaffCaller,
  { id, folder, said }: { readonly id: string; readonly folder: string; readonly said: Said },
): Promise<void> {
  const batch = await batchOf(shop, staff, id)
  const { report } = await showBatch(shop, batch)
  if (batch.state !== 'found' || !report.find((found) => found.folder === folder)?.said)
    throw refused('There is nothing here that could be corrected.')
  const file = join(folderOf(shop, id), folder, 'book.json')
  const book = await bookFileIn(file)
  const { title, authors, narrators, series } = said
  const corrected = {
    ...book,
    title,
    authors,
    series: series.map(({ name, number }) => ({
      ...knownSeries(book, name),
      name,
      ...(number ? { number } : {}),
    })),
    ...(narrators ? { audiobook: { ...asObject(book.audiobook), narrators } } : {}),
  }
  const work = await run(shop, importUploads, batch, {
    state: 'reading',
    only: new Set([folder]),
    report,
    prepare: () => writeFile(file, JSON.stringify(corrected, null, 2)),
  })
  void work()
}

/** Of the title's folder, which need not have one. @throws 422 if it can't be read */
async function bookFileIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return asObject(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    throw refused('The book.json of this title can’t be read. Correct it in its folder.')
  }
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, whose values are unknown
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** Its address and its order, if the folder gives them. */
const knownSeries = (book: Readonly<Record<string, unknown>>, name: string) =>
  (Array.isArray(book.series) ? book.series : [])
    .map(asObject)
    .map(({ number: _number, ...series }) => series)
    .find((series) => series.name === name)

export async function confirmBatch(
  shop: Shop,
  importUploads: ImportUploads,
  staff: StaffCaller,
  { id, folders }: { readonly id: string; readonly folders: readonly string[] },
): Promise<{ what: string }> {
  const batch = await batchOf(shop, staff, id)
  if (batch.state !== 'found' && !isStuck(shop, batch) && batch.state !== 'failed')
    throw refused('Nothing has been found yet that could be confirmed.')
  const what = `Brought in ${counted(folders.length, 'title')}`
  const { report } = await showBatch(shop, batch)
  const work = await run(shop, importUploads, batch, {
    state: 'importing',
    only: new Set(folders),
    report: report.filter(isOfArchive),
  })
  void act(shop, staff, { kind: 'titles import', about: `import ${id}`, what, carryOut: work })
  return { what }
}

export async function dropBatch(shop: Shop, staff: StaffCaller, id: string): Promise<void> {
  const batch = await batchOf(shop, staff, id)
  if ((batch.state === 'reading' || batch.state === 'importing') && !isStuck(shop, batch))
    throw refused('It is being read or brought in.')
  await removeBatch(shop, id)
}

/** Removes the files of imports and recordings that were not finished in time. */
export async function removeOldImports(shop: Shop): Promise<void> {
  const before = new Date(shop.now().getTime() - KEPT_DAYS * DAY_MS)
  const dayAgo = new Date(shop.now().getTime() - DAY_MS)
  for (const id of await deleteOldBatches(shop.db, { imports: before, recordings: dayAgo }))
    await removeUploads(shop, id)
  await removeUnfinished(shop, before)
}
