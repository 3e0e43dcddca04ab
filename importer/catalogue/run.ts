import type { Database } from '#server/db/open.ts'
import { notifyInstances } from '#server/features/catalogue/queries.ts'
import { hiddenInNames } from '../hidden-characters.ts'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { failureReason, showToAll } from '../run.ts'
import { csvRows } from './csv.ts'
import { entryOfRow, nameOfRow } from './csv-entry.ts'
import type { Found, RowReport } from './entry.ts'
import { BrokenFile, RowRefused } from './notes.ts'
import { onixProducts } from './onix.ts'
import { entryOfProduct, nameOfProduct } from './onix-entry.ts'
import type { OfAll } from './words.ts'
import { type Outcome, Remembered, decide } from './resolve-entries.ts'
import { writeBatch } from './write.ts'
import { errorCode } from '#server/log/error-code.ts'

export interface ImportingCatalogue extends OfAll {
  readonly db: Database
  readonly now: () => Date
  readonly dryRun?: boolean
  readonly onRow?: (report: RowReport) => void | Promise<void>
  readonly onFile?: (note: string) => void
}

export interface CatalogueResult {
  readonly rows: number
  /** The rows before the fault are imported. */
  readonly broken?: string
}

const ENTRIES_PER_BATCH = 500

/** One transaction per batch. Refused rows do not stop the others. A second run changes nothing. */
export async function importCatalogue(importing: ImportingCatalogue, file: string): Promise<CatalogueResult> {
  const { db, dryRun = false, onRow } = importing
  const remembered = new Remembered()
  let rows = 0
  let written = false
  const bring = async (batch: readonly Found[]) => {
    if (batch.length === 0) return
    const outcomes = await applyBatch(importing, batch, remembered, file)
    rows += outcomes.length
    written ||= outcomes.some(({ write }) => write)
    for (const { report } of outcomes) await onRow?.(report)
  }

  let broken: string | undefined
  let batch: Found[] = []
  try {
    for await (const found of rowsOf(importing, file)) {
      batch.push(found)
      if (batch.length < ENTRIES_PER_BATCH) continue
      await bring(batch)
      batch = []
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    broken = error.message
  }
  await bring(batch)
  if (written && !dryRun) await showToAll(db)
  return { rows, ...(broken === undefined ? {} : { broken }) }
}

async function* rowsOf({ onFile, ...ofAll }: ImportingCatalogue, file: string): AsyncGenerator<Found> {
  if (/\.(xml|onix)(\.gz)?$/i.test(file)) {
    for await (const { line, product } of onixProducts(file))
      yield found(line, nameOfProduct(product), () => entryOfProduct(product, ofAll))
    return
  }
  const onHeader = ({ unknown, twice }: { unknown: readonly string[]; twice: readonly string[] }) => {
    if (unknown.length > 0) onFile?.(`Unknown columns, not imported: ${unknown.join(', ')}.`)
    if (twice.length > 0) onFile?.(`Columns that repeat another one, not imported: ${twice.join(', ')}.`)
  }
  for await (const row of csvRows(file, onHeader))
    yield found(row.line, nameOfRow(row), () => entryOfRow(row, ofAll))
}

function found(line: number, name: string, read: () => Exclude<Found['value'], RowRefused>): Found {
  try {
    const value = read()
    const hidden = hiddenInNames(value)
    if (hidden !== undefined) throw new RowRefused('a name with hidden characters', hidden)
    return { line, name, value }
  } catch (error) {
    if (!(error instanceof RowRefused)) throw error
    return { line, name, value: error }
  }
}

async function applyBatch(
  { db, now, dryRun = false }: ImportingCatalogue,
  batch: readonly Found[],
  remembered: Remembered,
  file: string,
): Promise<Outcome[]> {
  if (dryRun) return decide(db, batch, remembered)
  let outcomes: Outcome[] | undefined
  try {
    return await db.transaction(async (tx) => {
      await lockImports(tx)
      outcomes = await decide(tx, batch, remembered)
      const writes = outcomes.flatMap(({ write }) => write ?? [])
      await writeBatch(tx, writes, { now: now(), file })
      if (writes.length > 0) await notifyInstances(tx)
      return outcomes
    })
  } catch (error) {
    // The rows are not the cause, so trying them one by one would not help.
    if (!outcomes || !isOfRows(error)) throw error
    return oneByOne(db, outcomes, { now: now(), file })
  }
}

async function oneByOne(
  db: Database,
  outcomes: readonly Outcome[],
  at: Parameters<typeof writeBatch>[2],
): Promise<Outcome[]> {
  const results: Outcome[] = []
  for (const outcome of outcomes) {
    const { report, write } = outcome
    if (!write) {
      results.push(outcome)
      continue
    }
    try {
      await db.transaction(async (tx) => {
        await lockImports(tx)
        await writeBatch(tx, [write], at)
      })
      results.push(outcome)
    } catch (error) {
      if (!isOfRows(error)) throw error
      const { slug: _slug, ...rest } = report
      const reason = { kind: 'refused by the database', text: failureReason(error) }
      results.push({ report: { ...rest, outcome: 'refused', reason } })
    }
  }
  await notifyInstances(db)
  return results
}

/** SQLSTATE 22, 23 and 54 depend on the rows; others, such as a lost connection, do not. */
function isOfRows(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return /^(22|23|54)/.test(String(errorCode(cause)))
}
