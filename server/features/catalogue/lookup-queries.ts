import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface TitledRow extends Record<string, unknown> {
  id: number
  title: string
}
export interface CategoryRow extends Record<string, unknown> {
  id: number
  name: string
  visible: boolean
  weight: number
}
export interface PublisherRow extends Record<string, unknown> {
  id: number
  name: string
  slug: string
  about: string | null
  website: string | null
}
export interface NationalityRow extends TitledRow {
  audio_books: number
  e_books: number
}

interface Slice {
  readonly offset: number
  readonly limit: number
}

export async function selectTitled(db: Db, table: 'styles' | 'locations', { offset, limit }: Slice) {
  const { rows } = await db.execute<TitledRow>(
    sql`select id, title from ${sql.identifier(table)} order by title, id limit ${limit}::int offset ${offset}::int`,
  )
  return rows
}

/** By weight, as the browse screen shows them (BROWSE-05). */
export async function selectCategories(db: Db, { offset, limit }: Slice): Promise<CategoryRow[]> {
  const { rows } = await db.execute<CategoryRow>(sql`
    select id, name, visible, weight from categories
    order by weight, name, id limit ${limit}::int offset ${offset}::int`)
  return rows
}

export async function selectNationalities(db: Db, { offset, limit }: Slice): Promise<NationalityRow[]> {
  const { rows } = await db.execute<NationalityRow>(sql`
    select n.id, n.title,
      count(distinct b.id) filter (where b.format = 'audio_book')::int as audio_books,
      count(distinct b.id) filter (where b.format = 'e_book')::int as e_books
    from nationalities n
    left join people p on p.nationality_id = n.id
    left join book_people bp on bp.person_id = p.id and bp.role = 'author'
    left join books b on b.id = bp.book_id
    group by n.id, n.title order by n.title, n.id limit ${limit}::int offset ${offset}::int`)
  return rows
}

export async function selectPublishers(db: Db, { offset, limit }: Slice): Promise<PublisherRow[]> {
  const { rows } = await db.execute<PublisherRow>(sql`
    select id, name, slug, about, website from publishers
    order by name, id limit ${limit}::int offset ${offset}::int`)
  return rows
}

/** By slug, or by id (OP-27). */
export async function selectPublisher(db: Db, slugOrId: string): Promise<PublisherRow | undefined> {
  const id = /^\d{1,9}$/.test(slugOrId) ? Number(slugOrId) : null
  const { rows } = await db.execute<PublisherRow>(sql`
    select id, name, slug, about, website from publishers
    where slug = ${slugOrId} or id = ${id} order by slug = ${slugOrId} desc limit 1`)
  return rows[0]
}

export async function countRows(
  db: Db,
  table: 'styles' | 'publishers' | 'categories' | 'locations' | 'nationalities',
): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${sql.identifier(table)}`,
  )
  return rows[0]?.total ?? 0
}
