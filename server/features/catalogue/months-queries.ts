import { asc, desc, eq, gt, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import type { MonthContent, MonthList, MonthTitle } from '#contract/office/documents.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { months } from '../../db/schema/months.ts'

export type MonthRow = typeof months.$inferSelect

export async function selectMonth(db: Db, month: string): Promise<MonthRow | undefined> {
  const [row] = await db.select().from(months).where(eq(months.month, month))
  return row
}

export const selectMonths = (db: Db): Promise<MonthRow[]> =>
  db.select().from(months).orderBy(asc(months.month)).limit(1_000)

/** The plan that decides in this month. */
export async function selectLatestMonth(db: Db, month: string): Promise<MonthRow | undefined> {
  const [row] = await db
    .select()
    .from(months)
    .where(lte(months.month, month))
    .orderBy(desc(months.month))
    .limit(1)
  return row
}

export async function selectMonthAfter(db: Db, month: string): Promise<string | null> {
  const [row] = await db
    .select({ month: months.month })
    .from(months)
    .where(gt(months.month, month))
    .orderBy(asc(months.month))
    .limit(1)
  return row?.month ?? null
}

export async function upsertMonth(db: Db, month: string, content: MonthContent): Promise<void> {
  await db
    .insert(months)
    .values({ month, ...content })
    .onConflictDoUpdate({ target: months.month, set: content })
}

export async function deleteMonth(db: Db, month: string): Promise<void> {
  await db.delete(months).where(eq(months.month, month))
}

/** Only one month has begun at a time: an earlier one that decides again begins again. */
export async function updateStarted(db: Db, month: string, at: RealTime): Promise<void> {
  await db.update(months).set({ startedAt: null }).where(isNotNull(months.startedAt))
  await db.update(months).set({ startedAt: at }).where(eq(months.month, month))
}

const LISTS: Readonly<
  Record<MonthList, { readonly field: string; readonly mark: SQL; readonly place: SQL }>
> = {
  editions: { field: 'edition', mark: sql.raw('edition'), place: sql.raw('edition_position') },
  highlights: {
    field: 'secondEdition',
    mark: sql.raw('second_edition'),
    place: sql.raw('highlight_position'),
  },
}

/** The titles that have the mark now, one row for both formats, in the order of the shop's lists. */
export async function selectMarked(db: Db, list: MonthList): Promise<MonthTitle[]> {
  const { mark, place } = LISTS[list]
  const { rows } = await db.execute<MonthTitle & Record<string, unknown>>(sql`
    select slug, words, "by" from (
      select distinct on (b.slug) b.slug, coalesce(b.bookseller_words, '') as words,
        coalesce(b.bookseller_name, '') as "by", b.${place} as place, b.sellable, b.listed_at, b.id
      from books b where b.${mark} order by b.slug, b.format) marked
    order by place, sellable desc nulls last, listed_at desc, id desc limit 200`)
  return rows
}

const keptFrom = (field: string, value: SQL): SQL => sql`
  source_values = case when ${field}::text = any(b.set_by_owner) then b.source_values
    else b.source_values || jsonb_build_object(${field}::text, ${value}) end,
  set_by_owner = case when ${field}::text = any(b.set_by_owner) then b.set_by_owner
    else array_append(b.set_by_owner, ${field}::text) end,
  updated_at = now()`

/**
 * Marks exactly these titles (the audiobook, or the e-book if there is no audiobook), in this order, and protects the
 * marks from imports. Returns how many titles changed.
 */
export async function updateMarks(db: Db, list: MonthList, slugs: readonly string[]): Promise<number> {
  const { field, mark, place } = LISTS[list]
  const { rowCount } = await db.execute(sql`
    with wanted as (
      select distinct on (w.position) b.id, w.position::int as position
      from unnest(${sql.param([...slugs])}::text[]) with ordinality as w(slug, position)
      join books b on b.format in ('audio_book', 'e_book') and b.slug = w.slug
      order by w.position, b.format),
    changes as (
      select id, position from wanted
      union all
      select b.id, null from books b where b.${mark} and b.id not in (select id from wanted))
    update books b set ${mark} = c.position is not null, ${place} = c.position,
      ${keptFrom(field, sql`b.${mark}`)}
    from changes c
    where b.id = c.id and (b.${mark} <> (c.position is not null) or b.${place} is distinct from c.position)`)
  return rowCount ?? 0
}

/** In both formats. Returns how many titles changed. */
export async function updateWords(db: Db, titles: readonly MonthTitle[]): Promise<number> {
  if (titles.length === 0) return 0
  const { rowCount } = await db.execute(sql`
    update books b set bookseller_words = nullif(w.words, ''), bookseller_name = nullif(w."by", ''),
      ${keptFrom('bookseller', sql`jsonb_build_object('booksellerWords', b.bookseller_words, 'booksellerName', b.bookseller_name)`)}
    from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as w(slug text, words text, "by" text)
    where b.format in ('audio_book', 'e_book') and b.slug = w.slug
      and (coalesce(b.bookseller_words, '') <> w.words or coalesce(b.bookseller_name, '') <> w."by")`)
  return rowCount ?? 0
}
