import { inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/open.ts'
import { bookmarks } from '../../db/schema/bookmarks.ts'
import { listRows } from '../../db/schema/lists.ts'
import { cartItems } from '../../db/schema/bag.ts'
import { books, type State } from '../../db/schema/catalogue.ts'
import { bookTimes, chapterTimes, placeHistory } from '../../db/schema/listening.ts'
import { readingPlaces } from '../../db/schema/reading.ts'
import type { Format } from '#contract/calculations/book-filter.ts'
import type { OwnersField, OwnersText } from './owners-fields.ts'

export interface OwnersBook {
  readonly id: number
  readonly title: string
  readonly format: Format
  /** What its file says. */
  readonly state: State
  readonly published: boolean
  readonly deliverable: boolean
  readonly sellable: boolean | null
  readonly priceMinor: number
  /** Null: what the shop works out of the price. */
  readonly memberPriceMinor: number | null
  /** What a command said since; null where its file decides. */
  readonly stateByCommand: State | null
  /** Fields that the owner set in the shop; imports do not change them. */
  readonly setByOwner: readonly string[]
  readonly isOfCatalogue: boolean
  /** The folder or catalogue that it came from. */
  readonly importedFrom: string | null
  readonly chapters: number
  /** People who have it, for whatever reason. */
  readonly owners: number
  /** Somebody has it. */
  readonly isOwned: boolean
  /** Somebody has it, or an order, a gift or a card speaks of it. */
  readonly isBound: boolean
}

/** The formats of a title, locked until the transaction ends: nobody buys it meanwhile. */
export async function lockTitle(
  tx: Transaction,
  slug: string,
  format: Format | undefined,
): Promise<OwnersBook[]> {
  const which = sql`b.slug = ${slug} and b.format = coalesce(${format ?? null}::text, b.format)`
  await tx.execute(sql`select from books b where ${which} for update`)
  const { rows } = await tx.execute<OwnersBook & Record<string, unknown>>(sql`
    select b.id, b.title, b.format, b.state, b.published, b.deliverable, b.sellable,
      b.price_minor as "priceMinor", b.member_price_minor as "memberPriceMinor", b.state_by_command as "stateByCommand",
      b.imported_from as "importedFrom", b.set_by_owner as "setByOwner",
      coalesce(b.import_hash like 'catalogue:%', false) as "isOfCatalogue",
      (select count(*)::int from chapters c where c.book_id = b.id) as chapters,
      (select count(*)::int from library_entries l where l.book_id = b.id) as owners, own.has as "isOwned",
      own.has or exists (select from order_lines o where o.book_id = b.id)
        or exists (select from gifts g where g.book_id = b.id)
        or exists (select from card_batches c where c.book_id = b.id)
        or exists (select from credits c where c.book_id = b.id) as "isBound"
    from books b, lateral (select exists (select from library_entries l where l.book_id = b.id) as has) own
    where ${which} order by b.format`)
  return rows
}

export async function updateState(tx: Transaction, ids: readonly number[], state: State): Promise<void> {
  await tx
    .update(books)
    .set({ stateByCommand: state === 'on-sale' ? null : state, updatedAt: sql`now()` })
    .where(inArray(books.id, [...ids]))
}

/** One whose file had no price is sold from now on, where its file says that it is on sale. */
export async function updatePrice(
  tx: Transaction,
  ids: readonly number[],
  price: { readonly priceMinor: number; readonly memberPriceMinor: number | null },
): Promise<void> {
  await tx
    .update(books)
    .set({
      ...price,
      published: sql`${books.published} or ${books.state} = 'on-sale'`,
      setByOwner: withField('price'),
      updatedAt: sql`now()`,
    })
    .where(inArray(books.id, [...ids]))
}

/** Protects the field from imports. */
export const withField = (field: OwnersField) =>
  sql`array_append(array_remove(${books.setByOwner}, ${field}), ${field})`

/** Stores the owner's text and clears the search document, so that it is rebuilt. */
export async function updateText(
  tx: Transaction,
  ids: readonly number[],
  field: OwnersText,
  words: string,
): Promise<void> {
  await tx
    .update(books)
    .set({ [field]: words, setByOwner: withField(field), searchText: null, updatedAt: sql`now()` })
    .where(inArray(books.id, [...ids]))
}

/** The next import sets the field again, even if the catalogue's row has not changed. */
export async function removeField(
  tx: Transaction,
  ids: readonly number[],
  field: OwnersField,
): Promise<void> {
  await tx
    .update(books)
    .set({
      setByOwner: sql`array_remove(${books.setByOwner}, ${field})`,
      importHash: sql`regexp_replace(${books.importHash}, ':.*', ':')`,
    })
    .where(inArray(books.id, [...ids]))
}

/** With what is left of it in bags, and of those who heard its sample. */
export async function deleteBooks(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const table of [cartItems, bookmarks, bookTimes, chapterTimes, placeHistory, readingPlaces, listRows])
    await tx.delete(table).where(inArray(table.bookId, [...ids]))
  await tx.delete(books).where(inArray(books.id, [...ids]))
}
