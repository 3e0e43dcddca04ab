import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface LinkRow extends Record<string, unknown> {
  kind: 'article' | 'interview' | 'discussion'
  slug: string
  title: string
  short_description: string
  picture_id: string | null
  alt_text: string
}

export async function selectLinksOf(db: Db, bookId: number): Promise<LinkRow[]> {
  const { rows } = await db.execute<LinkRow>(sql`
    select e.kind, e.slug, e.title, e.short_description, e.picture_id, e.alt_text
    from book_editorial be join editorial_items e on e.id = be.item_id
    where be.book_id = ${bookId} and e.published
    order by be.position, e.published_at desc, e.id limit 24`)
  return rows
}
