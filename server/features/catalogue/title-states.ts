import type { Database, Db, Transaction } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { notifyInstances } from './queries.ts'
import type { Format } from '#contract/calculations/book-filter.ts'
import {
  type OwnersField,
  type OwnersText,
  deleteBooks,
  lockTitle,
  type OwnersBook,
  removeField,
  updatePrice,
  updateState,
  updateText,
  type ListedTitle,
  selectTitles,
} from './title-state-queries.ts'
import type { State } from '../../db/schema/catalogue.ts'

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
 * Imports don't change the state. `on-sale` lets the title's file or catalogue row decide again.
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

export interface NewPrice {
  readonly priceMinor: number
  /** Null: calculated from the price. */
  readonly memberPriceMinor: number | null
}

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

/** Protects the text from imports. The caller refreshes the search index. */
export const setText = (
  db: Database,
  title: Title,
  field: OwnersText,
  words: string,
): Promise<readonly OwnersBook[]> => changeTitle(db, title, (tx, ids) => updateText(tx, ids, field, words))

/** The next import sets the field again. */
export const followSource = (
  db: Database,
  title: Title,
  field: OwnersField | 'state',
): Promise<readonly OwnersBook[]> =>
  changeTitle(db, title, (tx, ids) =>
    field === 'state' ? updateState(tx, ids, 'on-sale') : removeField(tx, ids, field),
  )

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
  published,
  deliverable,
}: Pick<OwnersBook, 'sellable' | 'state' | 'published' | 'deliverable'>): string[] {
  if (sellable) return []
  if (state !== 'on-sale') return [`its file says “${state}”`]
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

function effectiveStateOf(row: ListedTitle): TitleState {
  const state = row.stateByCommand ?? row.state
  return state !== 'on-sale' ? state : row.sellable ? 'on-sale' : 'not-on-sale'
}

const missingParts = (row: ListedTitle): Missing[] => {
  const lacks = reasonsNotOnSale({ ...row, sellable: false, state: 'on-sale' })
  return [
    ...(lacks.includes('it has no price') ? (['price'] as const) : []),
    ...(row.deliverable ? [] : [row.format === 'audio_book' ? ('sound' as const) : ('text' as const)]),
    ...(row.hasCover ? [] : (['cover'] as const)),
    ...(row.hasDescription ? [] : (['description'] as const)),
    ...(row.authors ? [] : (['author'] as const)),
  ]
}
