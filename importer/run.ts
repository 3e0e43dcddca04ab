import { basename, dirname, resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Said } from '#contract/office/imports.ts'
import type { Database } from '#server/db/open.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { notifyInstances } from '#server/features/catalogue/queries.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import type { MediaStore } from '#server/integrations/media/media-store.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { applyPlan } from './apply.ts'
import { type CompositionName, compositionAfter, COMPOSITION_NAMES } from './covers/choose-composition.ts'
import type { RenderedCover } from './covers/render.ts'
import { storeMissingPictures } from './covers/store-missing-pictures.ts'
import type { Plan, PlannedCover } from './desired.ts'
import type { FoundTitle } from './found.ts'
import { ImportRefused } from './refused.ts'
import { originOf, pathBelow, placeIn } from './origin.ts'
import { type OfShop, planTitle } from './plan.ts'
import type { Splitter } from './readers/m4b.ts'
import { type OpenTitle, openTitle } from './readers/title-folder.ts'
import { namePeople } from '#server/features/catalogue/name-people-queries.ts'
import { selectLibrary, selectOfFolder } from './queries.ts'
import { printable } from './hidden-characters.ts'
import { counted } from '#server/print/table.ts'

export interface Importing extends OfShop {
  readonly db: Database
  readonly media: MediaStore
  readonly now: () => Date
  /** Paths in the report and in stored origins are relative to it; by default each title's parent. */
  readonly root?: string
  readonly library?: string
  readonly moved?: boolean
  /** In pence, for titles without a price. */
  readonly priceMinor?: number
  readonly dryRun?: boolean
  readonly splitter?: Splitter
  readonly onTitle?: (report: TitleReport) => void
}

/** Titles to read concurrently: the smallest supported machine has two cores. */
const CONCURRENCY = 2
/** The shop shows new titles after this many, not only at the end. */
const TITLES_PER_REFRESH = 10

/** One short transaction per title. `folders` is in the order the shop should list them, newest last. */
export async function importTitles(asked: Importing, folders: readonly string[]): Promise<TitleReport[]> {
  const { dryRun = false } = asked
  const library = asked.root && (await selectLibrary(asked.db, resolve(asked.root)))
  const importing = library ? { ...asked, library } : asked
  const reports: TitleReport[] = []
  const opened = ahead(folders, CONCURRENCY, (folder) =>
    attempt(folder, async () =>
      openTitle(folder, importing.splitter, await sourceLocation(importing, folder, folders.length === 1)),
    ),
  )
  const stored = ahead(planned(importing, opened), CONCURRENCY, (step) => storing(importing, step))
  for await (const step of stored) {
    const report = await applying(importing, step)
    await step.close()
    reports.push(report)
    importing.onTitle?.(report)
    if (!dryRun && reports.length % TITLES_PER_REFRESH === 0) await showToAll(importing.db)
  }
  if (!dryRun) await showToAll(importing.db)
  return reports
}

export async function showToAll(db: Database): Promise<void> {
  await namePeople(db)
  await refreshSearch(db)
  await notifyInstances(db)
}

interface Step<T> {
  readonly folder: string
  readonly value: T | ImportRefused
  readonly close: () => Promise<void>
}

async function attempt<T>(
  folder: string,
  work: () => Promise<T>,
): Promise<{ folder: string; value: T | ImportRefused }> {
  try {
    return { folder, value: await work() }
  } catch (error) {
    return {
      folder,
      value:
        error instanceof ImportRefused
          ? error
          : new ImportRefused(`cannot be imported: ${failureReason(error)}`),
    }
  }
}

/** A title imported alone keeps its path in the library, which gives its author and series. */
async function sourceLocation(importing: Importing, folder: string, isAlone: boolean): Promise<string> {
  const known = isAlone ? await selectOfFolder(importing.db, resolve(folder)) : undefined
  if (known?.importedFrom) return placeIn(known.importedFrom)
  const { library, root } = importing
  return nameIn({ root: library ?? root }, folder)
}

const nameIn = ({ root }: { readonly root?: string | undefined }, folder: string): string =>
  (root && pathBelow(root, folder)) || basename(folder)

async function* planned(
  importing: Importing,
  opened: AsyncIterable<{ folder: string; value: OpenTitle | ImportRefused }>,
): AsyncGenerator<Step<Plan>> {
  const folderOf = new Map<string, string>()
  let last: CompositionName | undefined
  for await (const { folder, value } of opened) {
    if (value instanceof ImportRefused) {
      yield { folder, value, close: async () => undefined }
      continue
    }
    const step = await attempt(folder, async () => {
      const neighboured = planTitle(value.found, (subject) => compositionAfter(last, subject), importing)
      const plan = await keepingCovers(importing, value.found, neighboured)
      const first = folderOf.get(plan.slug)
      if (first)
        throw new ImportRefused(
          `has the address “${plan.slug}”, which the folder ${nameIn(importing, first)} has already.`,
        )
      folderOf.set(plan.slug, folder)
      last = plan.covers.find(({ composition }) => composition)?.composition
      return plan
    })
    yield { ...step, close: () => value.close() }
  }
}

/** While the title stays the same. Changed neighbours are no reason to redraw its cover. */
async function keepingCovers(importing: Importing, found: FoundTitle, plan: Plan): Promise<Plan> {
  const { db } = importing
  const standing = await db
    .select({ format: books.format, coverId: books.coverId })
    .from(books)
    .where(eq(books.slug, plan.slug))
  const stands = ({ format, id }: PlannedCover) =>
    standing.some((book) => book.format === format && book.coverId === id)
  const anew = plan.covers.filter((cover) => cover.composition && !stands(cover))
  if (standing.length === 0 || anew.length === 0) return plan
  const asBefore = COMPOSITION_NAMES.map((name) => planTitle(found, () => name, importing))
  return asBefore.find(({ covers }) => covers.some((cover) => cover.composition && stands(cover))) ?? plan
}

interface Stored {
  readonly plan: Plan
  readonly rendered: readonly RenderedCover[]
}

async function storing(
  importing: Importing,
  { folder, value: plan, close }: Step<Plan>,
): Promise<Step<Stored>> {
  if (plan instanceof ImportRefused) return { folder, value: plan, close }
  if (importing.dryRun) return { folder, value: { plan, rendered: [] }, close }
  const step = await attempt(folder, async () => {
    for (const file of plan.files) await storeSound(importing.media, file)
    return { plan, rendered: await storeMissingPictures(importing, plan.covers) }
  })
  return { ...step, close }
}

export const storeSound = (
  media: Pick<MediaStore, 'put'>,
  {
    path: file,
    sha256,
    bytes,
    extension,
  }: { path: string; sha256: string; bytes: number; extension: string },
): Promise<void> => media.put(mediaPath({ sha256, extension }), { file, sha256, bytes })

async function applying(importing: Importing, { folder, value }: Step<Stored>): Promise<TitleReport> {
  const { db, now, root = dirname(folder), moved = false, dryRun = false, priceMinor } = importing
  const name = nameIn(importing, folder)
  if (value instanceof ImportRefused)
    return { folder: name, outcome: 'refused', details: value.reasons, warnings: [] }
  const { plan, rendered } = value
  const step = await attempt(folder, () =>
    db.transaction((tx) =>
      applyPlan(tx, plan, {
        now: now(),
        from: originOf(importing.library ?? root, folder),
        moved,
        dryRun,
        rendered,
        priceMinor,
      }),
    ),
  )
  const about = describePlan(plan)
  if (step.value instanceof ImportRefused)
    return {
      folder: name,
      outcome: 'refused',
      slug: plan.slug,
      said: saidIn(plan),
      details: step.value.reasons,
      warnings: plan.warnings,
    }
  const { outcome, changes, left = [], warnings } = step.value
  return {
    folder: name,
    slug: plan.slug,
    about,
    said: saidIn(plan),
    outcome,
    details: changes,
    ...(left.length > 0 ? { left } : {}),
    warnings: [...plan.warnings, ...warnings],
  }
}

export function failureReason(error: unknown): string {
  // Drizzle wraps the database's error in one that quotes the whole query.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return `${cause instanceof Error ? cause.message : String(cause)}.`
}

/** At most `width` at once; yields the results in the items' order. */
export async function* ahead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const started = work(item)
    // It is awaited in its turn; until then a failure must not count as unhandled.
    started.catch(() => undefined)
    running.push(started)
    if (running.length >= width) yield await running.shift()!
  }
  while (running.length > 0) yield await running.shift()!
}

export interface TitleReport {
  readonly folder: string
  readonly outcome: 'created' | 'changed' | 'same' | 'refused'
  readonly slug?: string
  readonly about?: string
  readonly said?: Said
  readonly details: readonly string[]
  readonly left?: readonly string[]
  readonly warnings: readonly string[]
}

export function reportLines({ folder, outcome, slug, about, details, warnings }: TitleReport): string[] {
  // A folder name may contain a line break.
  const name = slug ?? folder.replaceAll(/\s+/g, ' ')
  const what =
    outcome === 'refused' ? details.join(' ') : [about, details.join(', ')].filter(Boolean).join(' — ')
  return [
    `${outcome.padEnd(8)} ${name}: ${what}`,
    ...warnings.map((warning) => `         note: ${warning}`),
  ].map(printable)
}

export function summaryOf(reports: readonly TitleReport[], dryRun: boolean): string {
  const count = (outcome: TitleReport['outcome']) =>
    reports.filter((report) => report.outcome === outcome).length
  const figures = (['created', 'changed', 'same', 'refused'] as const).map(
    (outcome) => `${count(outcome)} ${outcome}`,
  )
  return `${figures.join(', ')}.${leftWords(reports)}${dryRun ? ' Dry run: nothing was written.' : ''}`
}

/** `Left as you set it: price of 12 titles, state of 1 title.` */
function leftWords(reports: readonly TitleReport[]): string {
  const titles = new Map<string, number>()
  for (const { left = [] } of reports)
    for (const field of left) titles.set(field, (titles.get(field) ?? 0) + 1)
  const words = [...titles].map(([field, count]) => `${field} of ${counted(count, 'title')}`)
  return words.length > 0 ? ` Left as you set it: ${words.join(', ')}.` : ''
}

function saidIn({ title, books, series }: Plan): Said {
  const [book] = books
  const sound = books.find(({ format }) => format === 'audio_book')
  return {
    title,
    authors: [...(book?.authors ?? [])],
    narrators: sound ? [...sound.narrators] : null,
    series: (book?.series ?? []).map(({ slug, number }) => ({
      name: series.find((each) => each.slug === slug)?.title ?? slug,
      number,
    })),
  }
}

export function describePlan({ title, books }: Plan): string {
  const formats = books.map((book) => {
    if (book.format === 'e_book') return `e-book${book.fileId ? '' : ' without a file'}`
    const count = book.chapters.length
    const ms = book.chapters.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return count === 0
      ? `audiobook without chapters${book.sampleId ? ', with a sample' : ''}`
      : `audiobook, ${count} ${count === 1 ? 'chapter' : 'chapters'}, ${length(ms)}`
  })
  return `${title} (${formats.join('; ')})`
}

function length(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return hours > 0
    ? `${hours} h ${minutes} m`
    : minutes > 0
      ? `${minutes} m ${seconds % 60} s`
      : `${seconds} s`
}
