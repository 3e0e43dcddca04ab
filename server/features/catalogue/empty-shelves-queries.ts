import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

const book = (which: SQL) => sql`exists (select from books b where b.sellable is not null and ${which})`
const item = (which: SQL) => sql`exists (select from editorial_items i where i.published and ${which})`
const AUDIO = sql`b.format = 'audio_book'`

const SHELVES: Readonly<Record<string, SQL>> = {
  '/audiobooks': book(AUDIO),
  '/ebooks': book(sql`b.format = 'e_book'`),
  '/editions': book(sql`${AUDIO} and b.edition`),
  '/subscriber-selection': book(sql`${AUDIO} and b.second_edition`),
  '/astonishing-memoirs': book(sql`${AUDIO} and b.memoir`),
  '/writers-dilemma': book(sql`${AUDIO} and b.writers_dilemma`),
  '/audiobooks-in-a-card': book(sql`${AUDIO} and b.available_as_card`),
  '/publishers': book(sql`b.publisher_id is not null`),
  '/series': sql`exists (select from book_series)`,
  '/people': sql`exists (select from book_people)`,
  '/murmurations': item(sql`true`),
  '/articles': item(sql`i.kind = 'article'`),
  '/interviews': item(sql`i.kind = 'interview'`),
  '/discussions': item(sql`i.kind = 'discussion'`),
}

/** Menus omit links to empty lists. */
export async function selectEmptyShelves(db: Db): Promise<string[]> {
  const columns = Object.entries(SHELVES).map(([path, filled]) => sql`${filled} as ${sql.identifier(path)}`)
  const { rows } = await db.execute<Record<string, boolean>>(sql`select ${sql.join(columns, sql`, `)}`)
  return Object.entries(rows[0] ?? {}).flatMap(([path, isFilled]) => (isFilled ? [] : [path]))
}
