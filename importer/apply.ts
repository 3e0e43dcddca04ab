import { resolve } from 'node:path'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'
import { bookLocations, bookPeople, books, bookTags } from '#server/db/schema/catalogue.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { bookSeries } from '#server/db/schema/series.ts'
import { isOfCatalogue } from './catalogue/entry.ts'
import { writeChapters } from '#server/features/catalogue/chapters-queries.ts'
import { changedValues, type FieldValues } from '#server/features/catalogue/owners-fields.ts'
import { updateSourceValues } from '#server/features/catalogue/owners-fields-queries.ts'
import { differences } from './desired.ts'
import type { RenderedCover } from './covers/render.ts'
import { contentHash, type DesiredBook, type DesiredFile, type Plan } from './desired.ts'
import { type PersonName, fullName, nameKey } from '#server/features/catalogue/names.ts'
import { isSameFolder, isSamePlace } from './origin.ts'
import { keepOwnersFields } from './set-by-owner.ts'
import { ImportRefused } from './refused.ts'
import {
  atChosenVolume,
  type ExistingBook,
  isOwned,
  selectChangedCaptions,
  selectExisting,
  selectIsbnOwner,
  selectOfFolder,
  selectSpiSinOwner,
  storeCaptions,
  updateOrigin,
} from './queries.ts'
import {
  categoryId,
  correctionsOfPeople,
  correctionsOfPublisher,
  forgetBooksOf,
  languageId,
  locationId,
  lockImports,
  nationalityId,
  personId,
  publisherId,
  seriesId,
  styleId,
  tagId,
} from '#server/features/catalogue/vocabulary-queries.ts'

export interface Applied {
  readonly outcome: 'created' | 'changed' | 'same'
  readonly changes: readonly string[]
  readonly left?: readonly string[]
  readonly warnings: readonly string[]
}

interface Applying {
  readonly now: Date
  readonly from: string
  /** `--moved`: treat titles that came from other folders as the same titles in a new place. */
  readonly moved: boolean
  /** In pence, for titles that have no price in the folder or in the shop. */
  readonly priceMinor?: number | undefined
  readonly dryRun: boolean
  readonly rendered: readonly RenderedCover[]
}

const FORMAT_WORDS = { audio_book: 'audiobook', e_book: 'e-book' } as const

/** @throws `ImportRefused` if the slug or ISBN belongs to another title, or the folder lacks sound that buyers own */
export async function applyPlan(tx: Transaction, plan: Plan, applying: Applying): Promise<Applied> {
  await lockImports(tx)
  const standing = await selectExisting(tx, plan.slug)
  if (standing.size === 0 && !plan.isOwnSlug) await refuseRenamed(tx, plan, applying)
  const changes: string[] = []
  const warnings: string[] = []
  const left: string[] = []
  const write = new Map<DesiredBook, readonly string[]>()
  const sounds: string[] = []

  for (const planned of plan.books) {
    const word = FORMAT_WORDS[planned.format]
    const before = standing.get(planned.format)
    const { book, setByOwner, says, ...decided } = await decideBook(tx, planned, before, { plan, applying })
    warnings.push(...decided.warnings)
    left.push(...decided.left)
    sounds.push(...soundsOf(book))
    if (before && !applying.dryRun && Object.keys(changedValues(before.sourceValues, says)).length > 0) {
      // Also what the owner replaced, so that they can go back to it.
      await writeMedia(tx, plan.files, applying.rendered)
      await updateSourceValues(tx, before.id, says)
    }
    if (book.spiSin) {
      const owner = await selectSpiSinOwner(tx, book.spiSin, book.slug)
      if (owner) throw new ImportRefused(`spiSIN ${book.spiSin} belongs to ${owner}.`)
    }
    if (before) refuseOther(before, book, plan, applying)
    if (!before) {
      changes.push(`${word} added`)
      write.set(book, setByOwner)
      continue
    }
    if (before.book.chapters.length > 0 && book.chapters.length === 0)
      throw new ImportRefused(
        `The folder no longer holds any chapters, but the shop has ${before.book.chapters.length}: buyers would lose them.`,
      )
    if (before.book.fileId && !book.fileId && !book.madeAfterPurchase)
      throw new ImportRefused(
        'The folder no longer holds the e-book’s file, but the shop has it: buyers would lose it.',
      )
    if (book.state === 'draft' && (await isOwned(tx, before.id)))
      throw new ImportRefused(
        `Somebody owns the ${word}, so it cannot be a draft again: let "state" be "retired".`,
      )
    const differing = differences(before.book, book)
    if (differing.length > 0) write.set(book, setByOwner)
    changes.push(...differing.map((part) => (plan.books.length > 1 ? `${word} ${part}` : part)))
  }
  for (const format of standing.keys())
    if (!plan.books.some((book) => book.format === format))
      warnings.push(`The ${FORMAT_WORDS[format]} is no longer in the folder; the shop keeps it as it is.`)

  const captions = await selectChangedCaptions(tx, sounds, plan.captions)
  if (captions.size > 0) changes.push('captions')

  const corrections = [
    ...(await correctionsOfPeople(tx, plan.people, plan.slug)),
    ...(await correctionsOfPublisher(tx, plan.publisher, plan.slug)),
  ]
  for (const { what, disputed } of corrections)
    if (disputed) warnings.push(`Other titles also give ${what}, so it stays as it is.`)
    else changes.push(what)

  const outcome = standing.size === 0 ? 'created' : changes.length > 0 ? 'changed' : 'same'
  if (!applying.dryRun && outcome !== 'same') {
    if (write.size > 0) await writeMedia(tx, plan.files, applying.rendered)
    for (const [book, setByOwner] of write)
      await writeBook(tx, book, plan, { before: standing.get(book.format), setByOwner }, applying)
    await storeCaptions(tx, captions)
    for (const correction of corrections) if (!correction.disputed) await correction.apply(tx)
    await linkCounterparts(tx, plan.slug)
  }
  const elsewhere = plan.books.flatMap(({ format }) => {
    const before = standing.get(format)
    return before && !(before.importedFrom && isSameFolder(before.importedFrom, applying.from))
      ? [before.id]
      : []
  })
  if (!applying.dryRun && elsewhere.length > 0) await updateOrigin(tx, elsewhere, applying.from)
  return { outcome, changes: outcome === 'created' ? [] : changes, left: [...new Set(left)], warnings }
}

const soundsOf = ({ chapters: list, sampleId }: DesiredBook): string[] => [
  ...list.map(({ soundId }) => soundId),
  ...(sampleId ? [sampleId] : []),
]

interface Decided {
  readonly says: FieldValues
  readonly book: DesiredBook
  readonly setByOwner: readonly string[]
  readonly left: readonly string[]
  readonly warnings: readonly string[]
}

async function decideBook(
  tx: Transaction,
  planned: DesiredBook,
  before: ExistingBook | undefined,
  { plan, applying }: { readonly plan: Plan; readonly applying: Applying },
): Promise<Decided> {
  const { isbn, warning } = await isbnFor(tx, planned, before)
  const settled = settlePrice({ ...planned, isbn }, before, plan, applying)
  const kept = before && keepOwnersFields(settled.book, before, plan, !plan.unpriced.has(planned.format))
  return {
    book: kept?.book ?? settled.book,
    setByOwner: settled.setByOwner,
    left: kept?.left ?? [],
    says: kept?.says ?? {},
    warnings: [warning, settled.warning, kept?.note].filter((each) => each !== undefined),
  }
}

/** Without a price in the folder, the price counts as set by the owner. */
function settlePrice(
  book: DesiredBook,
  before: ExistingBook | undefined,
  { unpriced }: Plan,
  { priceMinor }: Applying,
): { book: DesiredBook; setByOwner: readonly string[]; warning?: string } {
  const setByOwner = before?.setByOwner ?? []
  const warning = unpriced.get(book.format)
  if (warning === undefined || setByOwner.includes('price')) return { book, setByOwner }
  const isOfCatalogueBefore = before?.book.published && isOfCatalogue(before.importHash)
  if (!isOfCatalogueBefore && priceMinor === undefined) return { book, setByOwner, warning }
  const price = isOfCatalogueBefore
    ? { priceMinor: before.book.priceMinor, memberPriceMinor: before.book.memberPriceMinor }
    : { priceMinor: priceMinor!, memberPriceMinor: null }
  return {
    book: { ...book, ...price, published: book.state === 'on-sale' },
    setByOwner: [...setByOwner, 'price'],
  }
}

async function isbnFor(
  tx: Transaction,
  book: DesiredBook,
  before: ExistingBook | undefined,
): Promise<{ isbn: string | null; warning?: string }> {
  const kept = before?.book.isbn ?? null
  if (book.isbn === null || book.isbn === kept) return { isbn: kept }
  const owner = await selectIsbnOwner(tx, book.isbn, book)
  if (!owner) return { isbn: book.isbn }
  return {
    isbn: kept,
    warning: `The ISBN ${book.isbn} is that of “${owner}” in the shop, so it is left out. If both are one title, give this one "slug": "${owner}" in book.json.`,
  }
}

/** Two slugs would put the title on sale twice. */
async function refuseRenamed(tx: Transaction, { slug }: Plan, { from }: Applying): Promise<void> {
  const before = await selectOfFolder(tx, resolve(from))
  if (before)
    throw new ImportRefused(
      `is “${before.title}” in the shop, at “${before.slug}”; by what its files say now it would be at “${slug}” too. Give it "slug": "${before.slug}" in book.json to keep its address, or another slug if it is another title.`,
    )
}

/** A title without a stored folder (imported before folders were stored) is claimed by the first with its slug. */
function refuseOther(
  { book: there, importedFrom, importHash }: ExistingBook,
  book: DesiredBook,
  { slug, isOwnSlug }: Plan,
  { from, moved }: Applying,
): void {
  const known = new Set(there.authors.map((name) => name.toLowerCase()))
  const isTheirs = known.size === 0 || book.authors.some((name) => known.has(name.toLowerCase()))
  if (isOfCatalogue(importHash)) {
    if (isOwnSlug || isTheirs) return
    throw new ImportRefused(
      `has the address “${slug}”, which “${there.title}” has${importedFrom ? ` from ${importedFrom}` : ' from a catalogue'}. Give it a "slug" in book.json: the same one if it is that title, else one of its own.`,
    )
  }
  if (importedFrom === null || moved || isSameFolder(importedFrom, from)) return
  if (isSamePlace(importedFrom, from) && isTheirs) return
  throw new ImportRefused(
    `has the address “${slug}”, which “${there.title}” has from ${resolve(importedFrom)}; this is ${resolve(from)}. If it is the same title in a new place, import it with --moved. If it is another, give it a "slug" of its own in book.json.`,
  )
}

/** The files are in the media store already. Fills in a duration that was unknown. */
export async function writeMedia(
  tx: Transaction,
  files: readonly Omit<DesiredFile, 'path'>[],
  rendered: readonly RenderedCover[],
): Promise<void> {
  // Two chapters can use the same sound file.
  const rows = new Map(
    files.map(({ sha256, extension, bytes, durationMs }) => [
      sha256,
      { sha256, extension, bytes, durationMs },
    ]),
  )
  if (rows.size > 0)
    await tx
      .insert(mediaFiles)
      .values([...rows.values()])
      .onConflictDoUpdate({
        target: mediaFiles.sha256,
        set: { durationMs: sql`excluded.duration_ms` },
        setWhere: sql`${mediaFiles.durationMs} is null and excluded.duration_ms is not null`,
      })
  if (rendered.length > 0)
    await tx
      .insert(covers)
      .values([...rendered])
      .onConflictDoNothing()
}

async function writeBook(
  tx: Transaction,
  book: DesiredBook,
  plan: Plan,
  {
    before,
    setByOwner,
  }: { readonly before: ExistingBook | undefined; readonly setByOwner: readonly string[] },
  { now, from }: Applying,
): Promise<void> {
  const { language, style, category, publisher, translator, authors, narrators, ...rest } = book
  const { chapters: chapterList, locations, tags, series, ...columns } = rest
  const who = (name: string) =>
    plan.people.find((person) => fullName(person) === name) ?? { firstName: '', lastName: name }
  const known = async (person: PersonName): Promise<number> => {
    const id = await personId(tx, person)
    if (person.nationality) await setNationality(tx, person)
    return id
  }
  const values = {
    ...columns,
    blockedCountries: [...book.blockedCountries],
    accessibility: [...book.accessibility],
    languageId: language ? await languageId(tx, language) : null,
    styleId: style ? await styleId(tx, style) : null,
    categoryId: category ? await categoryId(tx, category) : null,
    publisherId: publisher
      ? await publisherId(
          tx,
          plan.publisher?.slug === publisher ? plan.publisher : { slug: publisher, name: publisher },
        )
      : null,
    translatorId: translator ? await known(who(translator)) : null,
    setByOwner: [...setByOwner],
    importHash: contentHash(book),
    searchText: null,
    updatedAt: now,
  } satisfies typeof books.$inferInsert
  const [row] = before
    ? await tx.update(books).set(values).where(eq(books.id, before.id)).returning({ id: books.id })
    : await tx
        .insert(books)
        .values({ ...values, importedFrom: from, listedAt: now })
        .returning({ id: books.id })
  const bookId = row!.id

  await tx.delete(bookPeople).where(eq(bookPeople.bookId, bookId))
  for (const [role, names] of [
    ['author', authors],
    ['narrator', narrators],
  ] as const)
    for (const [position, name] of names.entries())
      await tx.insert(bookPeople).values({ bookId, role, position, personId: await known(who(name)) })
  await tx.delete(bookLocations).where(eq(bookLocations.bookId, bookId))
  for (const title of locations)
    await tx.insert(bookLocations).values({ bookId, locationId: await locationId(tx, title) })
  await tx.delete(bookTags).where(eq(bookTags.bookId, bookId))
  for (const title of tags) await tx.insert(bookTags).values({ bookId, tagId: await tagId(tx, title) })
  await tx.delete(bookSeries).where(eq(bookSeries.bookId, bookId))
  for (const [position, { slug, ...place }] of series.entries()) {
    const named = plan.series.find((each) => each.slug === slug) ?? { slug, title: slug }
    await tx.insert(bookSeries).values({ bookId, seriesId: await seriesId(tx, named), position, ...place })
  }

  await writeChapters(tx, bookId, await atChosenVolume(tx, bookId, chapterList))
}

/** Data corrections change existing nationalities. */
async function setNationality(tx: Transaction, person: PersonName): Promise<void> {
  const id = await nationalityId(tx, person.nationality!)
  const { rowCount } = await tx.execute(
    sql`update people set nationality_id = ${id} where name_key = ${nameKey(person)} and nationality_id is null`,
  )
  if (rowCount) await forgetBooksOf(tx, sql`p.name_key = ${nameKey(person)}`)
}

async function linkCounterparts(tx: Transaction, slug: string): Promise<void> {
  const rows = await tx.select({ id: books.id }).from(books).where(eq(books.slug, slug))
  if (rows.length < 2) return
  const ids = rows.map(({ id }) => id)
  await tx
    .update(books)
    .set({ counterpartId: sql`${ids[0]! + ids[1]!} - ${books.id}` })
    .where(inArray(books.id, ids))
}
