import type { FoundHere, ImportBatch } from '#contract/office/imports.ts'
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

/** Starts a run and returns at once; the batch says how far it is. @throws 422 if one runs already */
async function run(
  shop: Shop,
  importUploads: ImportUploads,
  batch: ImportRow,
  only?: ReadonlySet<string>,
): Promise<() => Promise<void>> {
  const { id } = batch
  const state = only ? 'importing' : 'reading'
  const stuckBefore = new Date(shop.now().getTime() - STUCK_MS)
  if (!(await claimBatch(shop.db, id, state, { now: shop.now(), stuckBefore })))
    throw refused('It is being read or brought in already.')
  return async () => {
    const report: FoundHere[] = []
    try {
      await importUploads(shop, folderOf(shop, id), {
        dryRun: only === undefined,
        ...(only ? { only } : {}),
        onFound: async (found) => {
          report.push(found)
          await updateBatch(shop.db, id, { doneCount: report.length, report }, shop.now())
        },
      })
      await updateBatch(shop.db, id, { state: only ? 'done' : 'found', report }, shop.now())
      if (only) await removeUploads(shop, id)
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
  const work = await run(shop, importUploads, batch)
  void work()
}

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
  const work = await run(shop, importUploads, batch, new Set(folders))
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
