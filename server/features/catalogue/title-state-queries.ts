import { inArray, sql } from 'drizzle-orm'
import type { Transaction, Db } from '../../db/open.ts'
import { bookmarks } from '../../db/schema/notes.ts'
import { listRows, readingPlaces } from '../../db/schema/library.ts'
import { cartItems } from '../../db/schema/bag.ts'
import { books, type State } from '../../db/schema/catalogue.ts'
import { bookTimes, chapterTimes, placeHistory } from '../../db/schema/listening.ts'
import type { Format } from '#contract/calculations/book-filter.ts'
import type { OwnersField } from './owners-fields.ts'

export interface OwnersBook {
  readonly id: number
  readonly title: string
  readonly format: Format
  readonly state: State
  readonly published: boolean
  readonly deliverable: boolean
  readonly sellable: boolean | null
  readonly priceMinor: number
  /** Null: calculated from the price. */
  readonly memberPriceMinor: number | null
  /** Null: its source decides. */
  readonly stateByCommand: State | null
  /** Imports do not change these fields. */
  readonly setByOwner: readonly string[]
  readonly isOfCatalogue: boolean
  readonly importedFrom: string | null
  readonly chapters: number
  readonly owners: number
  readonly isOwned: boolean
  /** Owned, or referenced by an order, a gift or a card. */
  readonly isBound: boolean
}

/** Of the book `b`: owned, or referenced by an order, a gift or a card. */
export const IS_BOUND = sql`(exists (select from library_entries l where l.book_id = b.id)
  or exists (select from order_lines o where o.book_id = b.id)
  or exists (select from gifts g where g.book_id = b.id)
  or exists (select from card_batches c where c.book_id = b.id)
  or exists (select from credits c where c.book_id = b.id))`

/** So that the title cannot be bought until the transaction ends. */
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
      ${IS_BOUND} as "isBound"
    from books b, lateral (select exists (select from library_entries l where l.book_id = b.id) as has) own
    where ${which} order by b.format`)
  return rows
}

/** An unpublished title that its source puts on sale has no price: `price_minor` 0 means unknown, not free. */
export const HAS_PRICE = sql`(b.published or (b.state <> 'on-sale' and b.price_minor > 0) or 'price' = any(b.set_by_owner))`

/** On sale by the owner holds against a source that says otherwise; where the source agrees, it decides again. */
export async function updateState(
  tx: Transaction,
  ids: readonly number[],
  state: State | null,
): Promise<void> {
  await tx.execute(sql`
    update books b set
      state_by_command = case when b.state = ${state} and ${state} = 'on-sale' then null else ${state} end,
      published = case when coalesce(${state}, b.state) = 'on-sale' then ${HAS_PRICE} else b.published end,
      updated_at = now()
    where b.id = any(${sql.param([...ids])}::int[])`)
}

export interface PriceOfBook {
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
}

/** Also publishes a title that had no price, if its state is `on-sale`. */
export async function updatePrice(
  tx: Transaction,
  ids: readonly number[],
  { priceMinor, memberPriceMinor }: PriceOfBook,
): Promise<void> {
  await tx.execute(sql`
    update books b set
      source_values = case when 'price' = any(b.set_by_owner) or not ${HAS_PRICE} then b.source_values
        else b.source_values || jsonb_build_object('price',
          jsonb_build_object('priceMinor', b.price_minor, 'memberPriceMinor', b.member_price_minor)) end,
      set_by_owner = array_append(array_remove(b.set_by_owner, 'price'), 'price'),
      price_minor = ${priceMinor}, member_price_minor = ${memberPriceMinor}::int,
      published = b.published or coalesce(b.state_by_command, b.state) = 'on-sale' or b.state = 'on-sale',
      updated_at = now()
    where b.id = any(${sql.param([...ids])}::int[])`)
}

/** As before the owner set a price: null for a title without one. The source decides again. */
export async function restorePrice(tx: Transaction, id: number, price: PriceOfBook | null): Promise<void> {
  await tx.execute(sql`
    update books b set
      price_minor = ${price?.priceMinor ?? 0}, member_price_minor = ${price?.memberPriceMinor ?? null}::int,
      published = ${price !== null} and b.published,
      set_by_owner = array_remove(b.set_by_owner, 'price'), source_values = b.source_values - 'price', updated_at = now()
    where b.id = ${id}`)
}

export const withField = (field: OwnersField) =>
  sql`array_append(array_remove(${books.setByOwner}, ${field}), ${field})`

export async function deleteBooks(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const table of [cartItems, bookmarks, bookTimes, chapterTimes, placeHistory, readingPlaces, listRows])
    await tx.delete(table).where(inArray(table.bookId, [...ids]))
  await tx.delete(books).where(inArray(books.id, [...ids]))
}

export interface ListedTitle {
  readonly slug: string
  readonly title: string
  readonly format: Format
  readonly authors: string | null
  readonly publisher: string | null
  readonly isbn: string | null
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly state: State
  readonly stateByCommand: State | null
  readonly published: boolean
  readonly deliverable: boolean
  readonly sellable: boolean | null
  readonly setByOwner: readonly string[]
  readonly hasCover: boolean
  readonly hasDescription: boolean
  readonly hasPrice: boolean
}

/** @param words each must occur in one of the title’s names; a full title or address is passed as one word */
export async function selectTitles(
  db: Db,
  words: readonly string[],
  format: Format | undefined,
): Promise<ListedTitle[]> {
  const parts = words.map((word) => `%${word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  const { rows } = await db.execute<ListedTitle & Record<string, unknown>>(sql`
    select b.slug, b.title, b.format, b.isbn, b.price_minor as "priceMinor", b.member_price_minor as "memberPriceMinor",
      b.state, b.state_by_command as "stateByCommand", b.published, b.deliverable, b.sellable,
      b.set_by_owner as "setByOwner", b.cover_id is not null as "hasCover", b.summary <> '' as "hasDescription",
      ${HAS_PRICE} as "hasPrice",
      named.authors, p.name as publisher
    from books b
    left join publishers p on p.id = b.publisher_id
    left join lateral (
      select string_agg(trim(o.first_name || ' ' || o.last_name), ', ' order by bp.position) filter (where bp.role = 'author') as authors,
        string_agg(o.first_name || ' ' || o.last_name, ' ') as everybody
      from book_people bp join people o on o.id = bp.person_id where bp.book_id = b.id) named on true
    where b.format = coalesce(${format ?? null}::text, b.format)
      and lower(concat_ws(' ', b.title, b.slug, b.isbn, p.name, named.everybody,
        (select string_agg(s.title, ' ') from book_series bs join series s on s.id = bs.series_id where bs.book_id = b.id)))
        like all (${sql.param(parts)}::text[])
    order by lower(b.title), b.slug, b.format`)
  return rows
}
