import type { Database, Db, Transaction } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { notifyInstances } from './queries.ts'
import type { Format } from '#contract/calculations/book-filter.ts'
import {
  deleteBooks,
  lockTitle,
  type OwnersBook,
  type PriceOfBook,
  updatePrice,
  updateState,
  type ListedTitle,
  selectTitles,
} from './title-state-queries.ts'
import type { State } from '../../db/schema/catalogue.ts'
import { changedValues, type FieldValues, isObject, isWholeField, type OwnersField } from './owners-fields.ts'
import {
  markFields,
  releaseField,
  selectFieldValues,
  selectSourceValues,
  writeFieldValues,
} from './owners-fields-queries.ts'
import { lockImports } from './vocabulary-queries.ts'

export interface Title {
  readonly slug: string
  readonly format?: Format
}

type Changed = Pick<OwnersBook, 'title' | 'format'> & {
  readonly lacks: readonly string[]
}

/** @throws 404 for an unknown title */
export const titleNamed = (db: Database, title: Title): Promise<readonly OwnersBook[]> =>
  db.transaction((tx) => lockKnown(tx, title))

async function lockKnown(tx: Transaction, { slug, format }: Title): Promise<OwnersBook[]> {
  const found = await lockTitle(tx, slug, format)
  if (found.length === 0) throw notFound(`There is no title ${slug}.`)
  return found
}

const changeTitle = (
  db: Database,
  title: Title,
  change: (tx: Transaction, ids: number[], before: readonly OwnersBook[]) => Promise<void>,
): Promise<OwnersBook[]> =>
  db.transaction(async (tx) => {
    const before = await lockKnown(tx, title)
    await change(
      tx,
      before.map(({ id }) => id),
      before,
    )
    await notifyInstances(tx)
    return lockTitle(tx, title.slug, title.format)
  })

/**
 * Imports don't change the state. `on-sale` also holds against a folder or catalogue that says otherwise.
 * @throws 404 for an unknown title; 422 for `draft` if an account owns the title
 */
export async function setState(db: Database, title: Title, state: State): Promise<Changed[]> {
  const after = await changeTitle(db, title, (tx, ids, before) => {
    const owned = before.find(({ isOwned }) => isOwned)
    if (owned && state === 'draft')
      throw refused(`Somebody owns ${owned.title}, so it cannot be a draft again. Retire it instead.`)
    return updateState(tx, ids, state)
  })
  return after.map((book) => ({ ...book, lacks: state === 'on-sale' ? reasonsNotOnSale(book) : [] }))
}

/** Null for the members' price: calculated from the price. */
export type NewPrice = PriceOfBook

/** Protects the price from imports. A checkout in progress keeps the price it showed. */
export const setPrice = (db: Database, title: Title, price: NewPrice): Promise<readonly OwnersBook[]> =>
  changeTitle(db, title, (tx, ids) => updatePrice(tx, ids, price))

export const setPrices = (
  db: Database,
  prices: readonly { readonly title: Title; readonly price: NewPrice }[],
): Promise<number> =>
  db.transaction(async (tx) => {
    for (const { title, price } of prices) {
      const found = await lockKnown(tx, title)
      const ids = found.map(({ id }) => id)
      await updatePrice(tx, ids, price)
    }
    await notifyInstances(tx)
    return prices.length
  })

/**
 * Sets fields of one book and protects them from imports. The caller refreshes the search index.
 *
 * @throws 404 for an unknown book
 * @returns what was there before, of the fields that changed
 */
export const setFields = (db: Database, bookId: number, wanted: FieldValues): Promise<FieldValues> =>
  db.transaction(async (tx) => {
    await lockImports(tx)
    const before = await selectFieldValues(tx, bookId)
    if (!before) throw notFound()
    const changed = changedValues(before, wanted)
    const fields = Object.keys(changed).filter(isWholeField)
    if (fields.length === 0) return {}
    const former = Object.fromEntries(fields.map((field) => [field, before[field] ?? null]))
    await markFields(tx, bookId, former)
    await writeFieldValues(tx, bookId, changed)
    await notifyInstances(tx)
    return former
  })

/** The title or its texts, in all its formats. */
export async function setText(
  db: Database,
  title: Title,
  field: 'title' | 'summary' | 'metaDescription',
  words: string,
): Promise<readonly OwnersBook[]> {
  for (const { id } of await titleNamed(db, title)) await setFields(db, id, { [field]: words })
  return titleNamed(db, title)
}

/** What the folder or catalogue says is back at once, as far as the shop knows it; imports decide from now on. */
export const followSource = (
  db: Database,
  title: Title,
  field: OwnersField | 'state',
): Promise<readonly OwnersBook[]> =>
  changeTitle(db, title, async (tx, ids, before) => {
    if (field === 'state') return updateState(tx, ids, null)
    for (const { id, setByOwner } of before) {
      const says = await selectSourceValues(tx, id)
      const value = says[field]
      if (value !== undefined && isWholeField(field))
        if (field === 'price') {
          if (isObject(value))
            await updatePrice(tx, [id], {
              priceMinor: Number(value.priceMinor),
              memberPriceMinor: typeof value.memberPriceMinor === 'number' ? value.memberPriceMinor : null,
            })
        } else await writeFieldValues(tx, id, { [field]: value })
      await releaseField(tx, id, field)
      // Their numbers were those of the owner's list.
      if (field === 'chapters')
        for (const sound of setByOwner.filter((each) => each.startsWith('chapter ')))
          await releaseField(tx, id, sound)
    }
  })

/** @throws 404 for an unknown title; 422 if an account owns it or anything references it */
export const deleteTitle = (db: Database, title: Title): Promise<readonly OwnersBook[]> =>
  db.transaction(async (tx) => {
    const found = await lockKnown(tx, title)
    const bound = found.find(({ isBound }) => isBound)
    if (bound)
      throw refused(
        `${bound.title} is in somebody’s library, in an order, a gift or on a card, so it stays. Retire it instead.`,
      )
    const ids = found.map(({ id }) => id)
    await deleteBooks(tx, ids)
    await notifyInstances(tx)
    return found
  })

export function reasonsNotOnSale({
  sellable,
  state,
  stateByCommand,
  published,
  deliverable,
}: Pick<OwnersBook, 'sellable' | 'state' | 'stateByCommand' | 'published' | 'deliverable'>): string[] {
  if (sellable) return []
  if (stateByCommand === null && state !== 'on-sale') return [`its file says “${state}”`]
  return [
    ...(sellable === null ? ['it is embargoed'] : []),
    ...(published ? [] : ['it has no price']),
    ...(deliverable ? [] : ['it has no sound or text']),
  ]
}

export const MISSING = ['price', 'sound', 'text', 'cover', 'description', 'author'] as const
type Missing = (typeof MISSING)[number]

export interface TitleFilter {
  /** Each word must occur in the title, slug, authors, narrators, publisher, series or ISBN. */
  readonly words?: string
  readonly format?: Format
  readonly state?: TitleState
  readonly missing?: Missing
}

export const TITLE_STATES = ['on-sale', 'not-on-sale', 'draft', 'listed', 'retired'] as const
type TitleState = (typeof TITLE_STATES)[number]

/** Whether an owner can set this state: "not on sale" only follows from what a title lacks. */
export const isState = (value: unknown): value is State =>
  value !== 'not-on-sale' && TITLE_STATES.some((state) => state === value)

export interface OwnersTitle extends ListedTitle {
  /** The effective state: `on-sale`, the state from its file or a command, or `not-on-sale` if something is missing. */
  readonly effectiveState: TitleState
  readonly missing: readonly Missing[]
}

export async function findTitles(
  db: Db,
  { words = '', format, state, missing }: TitleFilter,
): Promise<OwnersTitle[]> {
  const rows = await selectTitles(db, words.split(/\s+/).filter(Boolean), format)
  return rows
    .map((row) => ({ ...row, effectiveState: effectiveStateOf(row), missing: missingParts(row) }))
    .filter(
      (title) =>
        (state === undefined || title.effectiveState === state) &&
        (missing === undefined || title.missing.includes(missing)),
    )
}

function effectiveStateOf(row: Pick<ListedTitle, 'state' | 'stateByCommand' | 'sellable'>): TitleState {
  const state = row.stateByCommand ?? row.state
  return state !== 'on-sale' ? state : row.sellable ? 'on-sale' : 'not-on-sale'
}

const missingParts = (row: ListedTitle): Missing[] => {
  return [
    ...(row.hasPrice ? [] : (['price'] as const)),
    ...(row.deliverable ? [] : [row.format === 'audio_book' ? ('sound' as const) : ('text' as const)]),
    ...(row.hasCover ? [] : (['cover'] as const)),
    ...(row.hasDescription ? [] : (['description'] as const)),
    ...(row.authors ? [] : (['author'] as const)),
  ]
}
