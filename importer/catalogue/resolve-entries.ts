import type { Db } from '#server/db/open.ts'
import type { Format } from '../found.ts'
import { nameKey } from '#server/features/catalogue/names.ts'
import {
  hashOf,
  identityOf,
  isOfCatalogue,
  slugsFor,
  type Entry,
  type Found,
  type RowReport,
} from './entry.ts'
import { type Remark, RowRefused } from './notes.ts'
import { formatPounds } from '#server/format.ts'
import { NO_PRICE } from './words.ts'
import { selectByNumber, selectBySlug, type ExistingRow } from './queries.ts'

export interface Decided {
  readonly entry: Entry
  readonly slug: string
  readonly hash: string
  readonly existing: ExistingRow | undefined
}

export interface Outcome {
  readonly report: RowReport
  readonly write?: Decided
}

export class Remembered {
  readonly lines = new Map<string, number>()
  readonly taken = new Map<string, number>()
}

/** Queried for a whole batch at once; after that row by row, in steps of `SLUGS_PER_QUERY`: many works are “Poems”. */
const FIRST_CHOICES = 3
const SLUGS_PER_QUERY = 20

/** Writes nothing, so a dry run reports the same as a real run. */
export async function decide(db: Db, batch: readonly Found[], remembered: Remembered): Promise<Outcome[]> {
  const entries = batch.flatMap(({ value }) => (value instanceof RowRefused ? [] : [value]))
  const [isbns, sourceIds] = [
    entries.flatMap(({ isbn }) => isbn ?? []),
    entries.flatMap(({ sourceId }) => sourceId ?? []),
  ]
  const known = await selectByNumber(db, isbns, sourceIds)
  const byNumber = new Map<string, ExistingRow>()
  for (const row of known)
    for (const number of [row.isbn, row.sourceId]) if (number) byNumber.set(number, row)
  const addresses = new Addresses(db, remembered)
  await addresses.look(
    entries.filter(({ isbn, sourceId }) => !byNumber.has(isbn ?? '') && !byNumber.has(sourceId ?? '')),
  )

  const outcomes: Outcome[] = []
  for (const { line, name, value } of batch) {
    try {
      if (value instanceof RowRefused) throw value
      const decided = await decideRow(value, line, byNumber, addresses, remembered)
      const same = decided.existing?.importHash === decided.hash
      const outcome = same ? 'same' : decided.existing ? 'changed' : 'created'
      outcomes.push({
        report: { line, name, outcome, slug: decided.slug, notes: notesOf(decided) },
        ...(same ? {} : { write: decided }),
      })
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      const reason = { kind: error.kind, text: error.message }
      const notes = value instanceof RowRefused ? [] : value.notes
      outcomes.push({ report: { line, name, outcome: 'refused', reason, notes } })
    }
  }
  return outcomes
}

async function decideRow(
  entry: Entry,
  line: number,
  byNumber: ReadonlyMap<string, ExistingRow>,
  addresses: Addresses,
  { lines, taken }: Remembered,
): Promise<Decided> {
  const numbers = [identityOf(entry), entry.isbn, entry.sourceId].filter((number) => number !== null)
  const before = numbers.map((number) => lines.get(number)).find((number) => number !== undefined)
  if (before !== undefined)
    throw new RowRefused('duplicate', `The same title is already on line ${before} (${numbers[0]}).`)

  const byIsbn = entry.isbn ? byNumber.get(entry.isbn) : undefined
  const bySource = entry.sourceId ? byNumber.get(entry.sourceId) : undefined
  if (byIsbn && bySource && byIsbn.id !== bySource.id)
    throw new RowRefused(
      'numbers of two titles',
      `The ISBN is that of “${byIsbn.slug}” and ${entry.sourceId} that of “${bySource.slug}”.`,
    )
  const numbered = byIsbn ?? bySource
  const { slug, existing } = numbered
    ? { slug: numbered.slug, existing: numbered }
    : await addresses.give(entry)
  if (existing) refuseForeign(entry, existing)
  const place = `${entry.format}/${slug}`
  // Two rows can lead to one book: one by its number, the other by its slug.
  if (taken.has(place))
    throw new RowRefused('duplicate', `The title “${slug}” is already on line ${taken.get(place)}.`)
  taken.set(place, line)
  for (const number of numbers) lines.set(number, line)
  return { entry, slug, hash: hashOf(entry), existing }
}

function notesOf(decided: Decided): Remark[] {
  const { entry, existing, slug } = decided
  const kept = existing?.setByOwner ?? []
  const isPriced = kept.includes('price')
  const notes = entry.notes.filter(({ kind }) => !(isPriced && kind === NO_PRICE[0])).concat(lacking(decided))
  if (
    existing &&
    isPriced &&
    entry.published &&
    !entry.pricedByOwner &&
    entry.priceMinor !== existing.priceMinor
  )
    notes.push({
      kind: 'price left as you set it',
      text: `Left as you set it: price (${formatPounds(existing.priceMinor)}; the row says ${formatPounds(entry.priceMinor)}). To take the row’s: npm run titles -- follow ${slug} price`,
    })
  return notes
}

const lacking = ({ entry, existing }: Decided): Remark[] =>
  entry.published && !entry.withoutFile && !entry.preorder && !existing?.deliverable
    ? [NOTHING_TO_DELIVER]
    : []

const NOTHING_TO_DELIVER: Remark = {
  kind: 'nothing to deliver',
  text: 'No sound or text: not on sale until a folder brings it, or the column without_file says yes.',
}

/** Without a number it is unknown which edition the row means. */
function refuseNumbered(entry: Entry, { slug, isbn, sourceId }: ExistingRow): void {
  if (entry.isbn ?? entry.sourceId ?? entry.slug) return
  const number = isbn ?? sourceId
  if (number !== null)
    throw new RowRefused(
      'duplicate',
      `The shop already has “${slug}”, as ${number}: give the row that number, or a slug of its own.`,
    )
}

function refuseForeign(entry: Entry, { format, slug, importHash }: ExistingRow): void {
  if (format !== entry.format)
    throw new RowRefused(
      'a number of the other format',
      `The number belongs to the ${format === 'audio_book' ? 'audiobook' : 'e-book'} “${slug}”, and the row is of the other format.`,
    )
  if (!isOfCatalogue(importHash))
    throw new RowRefused(
      'duplicate of a title from a folder',
      `“${slug}” came from a folder of its own, and that folder takes precedence.`,
    )
}

class Addresses {
  readonly #db: Db
  readonly #remembered: Remembered
  readonly #existing = new Map<string, ExistingRow | undefined>()

  constructor(db: Db, remembered: Remembered) {
    this.#db = db
    this.#remembered = remembered
  }

  async look(entries: readonly Entry[]): Promise<void> {
    await this.#ask(
      entries.flatMap((entry) => {
        try {
          return [...take(slugsFor(entry), FIRST_CHOICES)]
        } catch {
          // Ignored here: the entry's own turn reports it.
          return []
        }
      }),
    )
  }

  async give(entry: Entry): Promise<{ slug: string; existing: ExistingRow | undefined }> {
    const choices = slugsFor(entry)
    for (let count = FIRST_CHOICES; ; count = SLUGS_PER_QUERY) {
      const next = [...take(choices, count)]
      if (next.length === 0)
        throw new RowRefused(
          'slug of another title',
          `The slug “${entry.slug ?? ''}” belongs to another title.`,
        )
      await this.#ask(next)
      for (const slug of next) {
        const place = `${entry.format}/${slug}`
        if (this.#remembered.taken.has(place)) continue
        const existing = this.#existing.get(place)
        if (existing && !isSameWork(entry, existing)) continue
        if (existing) refuseNumbered(entry, existing)
        return { slug, existing }
      }
    }
  }

  async #ask(slugs: readonly string[]): Promise<void> {
    const formats: readonly Format[] = ['audio_book', 'e_book']
    const fresh = [...new Set(slugs)].filter((slug) => !this.#existing.has(`audio_book/${slug}`))
    if (fresh.length === 0) return
    for (const slug of fresh) for (const format of formats) this.#existing.set(`${format}/${slug}`, undefined)
    for (const row of await selectBySlug(this.#db, fresh))
      this.#existing.set(`${row.format}/${row.slug}`, row)
  }
}

function isSameWork(entry: Entry, { isbn, sourceId, slug, title, author }: ExistingRow): boolean {
  if (entry.isbn && isbn) return entry.isbn === isbn
  if (entry.sourceId && sourceId) return entry.sourceId === sourceId
  if (entry.slug !== undefined) return entry.slug === slug
  // Each numbered record is an edition of its own. Only without a number do name and author identify a title.
  if ((entry.isbn ?? entry.sourceId) !== null && (isbn ?? sourceId) !== null) return false
  const first = entry.authors[0]
  return title.toLowerCase() === entry.title.toLowerCase() && (first ? nameKey(first) : null) === author
}

function* take<T>(values: Generator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = values.next()
    if (done) return
    yield value
  }
}
