import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import {
  bookEditorial,
  editorialAuthors,
  editorialCategories,
  editorialItems,
  murmurationTypes,
} from '../../db/schema/editorial.ts'
import type { EditorialKind } from './queries.ts'

type ItemValues = Omit<typeof editorialItems.$inferInsert, 'id' | 'kind' | 'slug' | 'searchText'>

/** An item with the names that files and drafts use instead of ids; undefined if there is none. */
export async function selectItem(db: Db, kind: EditorialKind, slug: string) {
  const [row] = await db
    .select({
      item: editorialItems,
      author: editorialAuthors.nameKey,
      category: editorialCategories.name,
      type: murmurationTypes.title,
    })
    .from(editorialItems)
    .leftJoin(editorialAuthors, eq(editorialAuthors.id, editorialItems.authorId))
    .leftJoin(editorialCategories, eq(editorialCategories.id, editorialItems.categoryId))
    .leftJoin(murmurationTypes, eq(murmurationTypes.id, editorialItems.typeId))
    .where(and(eq(editorialItems.kind, kind), eq(editorialItems.slug, slug)))
  return row
}

/** Call `refreshSearch` after the commit. */
export async function writeItem(
  db: Db,
  { kind, slug }: { readonly kind: EditorialKind; readonly slug: string },
  values: ItemValues,
  bookSlugs: readonly string[],
): Promise<void> {
  const written = { ...values, searchText: null }
  const [row] = await db
    .insert(editorialItems)
    .values({ kind, slug, ...written })
    .onConflictDoUpdate({ target: [editorialItems.kind, editorialItems.slug], set: written })
    .returning({ id: editorialItems.id })
  await db.delete(bookEditorial).where(eq(bookEditorial.itemId, row!.id))
  // A work's audiobook and e-book have one slug.
  await db.execute(sql`
    insert into book_editorial (book_id, item_id, position)
    select b.id, ${row!.id}::int, (wanted.position - 1)::int
    from unnest(${sql.param([...bookSlugs])}::text[]) with ordinality as wanted(slug, position)
    join books b on b.slug = wanted.slug
    on conflict do nothing`)
}

/** Keeps the text and an event's reserved seats, so that the item can be published again. */
export async function hideItem(db: Db, kind: EditorialKind, slug: string): Promise<void> {
  await db.execute(sql`update editorial_items set published = false where kind = ${kind} and slug = ${slug}`)
}

type Terms = 'editorial_categories' | 'murmuration_types'
const COLUMNS: Readonly<Record<Terms, string>> = { editorial_categories: 'name', murmuration_types: 'title' }

export async function findTerm(db: Db, table: Terms, value: string): Promise<number | undefined> {
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from ${sql.identifier(table)} where ${sql.identifier(COLUMNS[table])} = ${value}`,
  )
  return rows[0]?.id
}

export async function findOrInsertTerm(db: Db, table: Terms, value: string): Promise<number> {
  const known = await findTerm(db, table, value)
  if (known !== undefined) return known
  await db.execute(
    sql`insert into ${sql.identifier(table)} (${sql.identifier(COLUMNS[table])}) values (${value}) on conflict do nothing`,
  )
  return (await findTerm(db, table, value))!
}
