import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { ahead, type TitleReport, type Importing, failureReason, showToAll, storeSound } from '../run.ts'
import { type Applied, writeMedia } from '../apply.ts'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { storeMissingPictures } from '../covers/store-missing-pictures.ts'
import type { RenderedCover } from '../covers/render.ts'
import { naturalOrder } from '#server/features/catalogue/names.ts'
import { ImportRefused } from '../refused.ts'
import { keptCategories } from '#server/features/documents/folder.ts'
import { dropOtherCategories } from '#server/features/pages/write-queries.ts'
import { readAuthor, readFaq, readPage } from './documents.ts'
import { stopOtherCodes } from './discounts.ts'
import { readItem } from './item.ts'
import { readJson } from './files.ts'
import type { Applying, Coming, Piece } from './piece.ts'
import { RECORD_FILES } from './records.ts'
import { PublishersFile } from './schemas.ts'
import { VOCABULARY_FILES } from './vocabularies.ts'

export interface ImportingContent extends Importing {
  readonly comingBooks?: ReadonlySet<string>
}

/** In the order in which they are read: authors come before their articles. */
const FOLDERS: Readonly<Record<string, (path: string) => Promise<Piece>>> = {
  authors: readAuthor,
  pages: readPage,
  faq: readFaq,
  'editorial/articles': (path) => readItem(path, 'article'),
  'editorial/interviews': (path) => readItem(path, 'interview'),
  'editorial/discussions': (path) => readItem(path, 'discussion'),
}

/** Files to prepare concurrently: the smallest supported machine has two cores. */
const CONCURRENCY = 2

export const isContentFolder = (folder: string): boolean =>
  [...[FOLDERS, RECORD_FILES, VOCABULARY_FILES].flatMap(Object.keys), 'titles'].some((name) =>
    existsSync(join(folder, name)),
  )

/** Call it before importing titles, which would otherwise create the entries in their own order. */
export const importVocabularies = (importing: Importing, folder: string): Promise<TitleReport[]> =>
  importFiles(importing, filesIn(folder, VOCABULARY_FILES), NOTHING)

/** One short transaction per file. A file that fails does not stop the others; a second run changes nothing. */
export async function importContent(importing: ImportingContent, folder: string): Promise<TitleReport[]> {
  const { dryRun = false, db, onTitle } = importing
  const files = [...(await markdownIn(folder)), ...filesIn(folder, RECORD_FILES)]
  const categories: string[] = []
  const reports = await importFiles(importing, files, await comingIn(importing, folder, files), (piece) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the schema of the file
    if ('category' in piece) categories.push(piece.category as string)
  })
  const isChanged = (name: string, details: readonly string[]) => {
    const report = { folder: name, outcome: 'changed', details, warnings: [] } as const
    reports.push(report)
    onTitle?.(report)
  }
  if (!existsSync(join(folder, 'discounts.json'))) {
    const from = await realpath(folder)
    const stopped = await db.transaction((tx) => stopOtherCodes(tx, from, [], dryRun))
    if (stopped.length > 0) isChanged('discounts.json', stopped)
  }
  // If a category file is unreadable, do not treat its category as removed.
  const asked = reports.filter((report) => report.folder.startsWith('faq/'))
  if (asked.length > 0 && asked.every(({ outcome }) => outcome !== 'refused')) {
    const gone = await db.transaction(async (tx) =>
      (await keptCategories(tx, categories, dryRun)) ? [] : dropOtherCategories(tx, categories, dryRun),
    )
    for (const name of gone) isChanged(`faq/${name}`, ['removed: no file holds it any more'])
  }
  if (!dryRun) await showToAll(db)
  return reports
}

async function importFiles(
  importing: Importing,
  files: readonly ContentFile[],
  coming: Coming,
  onRead: (piece: Piece) => void = () => undefined,
): Promise<TitleReport[]> {
  const { dryRun = false, now, onTitle } = importing
  const reports: TitleReport[] = []
  for await (const prepared of ahead(files, CONCURRENCY, (file) => prepare(importing, file))) {
    if (!(prepared.piece instanceof ImportRefused)) onRead(prepared.piece)
    const report = await apply(importing, prepared, { now: now(), dryRun, coming })
    reports.push(report)
    onTitle?.(report)
  }
  return reports
}

const NOTHING: Coming = { books: new Set(), authors: new Set(), publishers: new Set() }

async function comingIn(
  { comingBooks = new Set() }: ImportingContent,
  folder: string,
  files: readonly ContentFile[],
): Promise<Coming> {
  const authors = files.flatMap(({ name }) => /^authors\/(.+)\.md$/.exec(name)?.[1] ?? [])
  const houses = await readJson(join(folder, 'publishers.json'), PublishersFile).catch(() => [])
  return {
    books: comingBooks,
    authors: new Set(authors),
    publishers: new Set(houses.map(({ slug }) => slug)),
  }
}

interface ContentFile {
  readonly name: string
  readonly path: string
  readonly read: (path: string) => Promise<Piece>
}

async function markdownIn(folder: string): Promise<ContentFile[]> {
  const files: ContentFile[] = []
  for (const [below, read] of Object.entries(FOLDERS)) {
    const names = await readdir(join(folder, below)).catch(() => [])
    for (const name of names.filter((each) => /^[^.].*\.md$/.test(each)).sort(naturalOrder))
      files.push({ name: `${below}/${name}`, path: join(folder, below, name), read })
  }
  return files
}

const filesIn = (folder: string, readers: Readonly<Record<string, ContentFile['read']>>): ContentFile[] =>
  Object.entries(readers)
    .map(([name, read]) => ({ name, path: join(folder, name), read }))
    .filter(({ path }) => existsSync(path))

interface Prepared {
  readonly name: string
  readonly piece: Piece | ImportRefused
  readonly rendered: readonly RenderedCover[]
}

async function prepare(importing: Importing, { name, path, read }: ContentFile): Promise<Prepared> {
  try {
    const piece = await read(path)
    if (importing.dryRun) return { name, piece, rendered: [] }
    for (const sound of piece.sounds) await storeSound(importing.media, sound)
    return { name, piece, rendered: await storeMissingPictures(importing, piece.pictures) }
  } catch (error) {
    return { name, piece: refusal(error), rendered: [] }
  }
}

async function apply(
  { db }: Importing,
  { name, piece, rendered }: Prepared,
  applying: Applying,
): Promise<TitleReport> {
  if (piece instanceof ImportRefused)
    return { folder: name, outcome: 'refused', details: piece.reasons, warnings: [] }
  const applied = await db
    .transaction(async (tx): Promise<Applied> => {
      await lockImports(tx)
      if (!applying.dryRun) await writeMedia(tx, piece.sounds, rendered)
      return piece.apply(tx, applying)
    })
    .catch(refusal)
  if (applied instanceof ImportRefused)
    return { folder: name, outcome: 'refused', details: applied.reasons, warnings: piece.warnings }
  const { outcome, changes, warnings } = applied
  return {
    folder: name,
    about: piece.about,
    outcome,
    details: changes,
    // Report warnings about a file only when it changed.
    warnings: [...(outcome === 'same' ? [] : piece.warnings), ...warnings],
  }
}

const refusal = (error: unknown): ImportRefused =>
  error instanceof ImportRefused ? error : new ImportRefused(`cannot be imported: ${failureReason(error)}`)
