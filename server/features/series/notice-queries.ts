import { sql } from 'drizzle-orm'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'

/** Neither books on sale nor their other formats count as the next title. */
const KNOWN = sql`
  array(select each.id from book_series m join books b on b.id = m.book_id
    cross join lateral (values (b.id), (b.counterpart_id)) each(id)
    where m.series_id = s.id and b.sellable and each.id is not null)`

export interface Asked extends Record<string, unknown> {
  title: string
  /** Null if the address is already confirmed. */
  token: string | null
}

/** Undefined for an unknown series. */
export async function insertNotice(
  db: Db,
  slug: string,
  email: string,
  now: Date,
): Promise<Asked | undefined> {
  const { rows } = await db.execute<Asked>(sql`
    with asked as (
      insert into series_notices (series_id, email, asked_at, known_book_ids)
      select s.id, ${email.toLowerCase()}, ${now.toISOString()}::timestamptz, ${KNOWN} from series s where s.slug = ${slug}
      on conflict (series_id, email) do update set known_book_ids = excluded.known_book_ids
        where series_notices.confirmed_at is null
      returning token)
    select s.title, (select token from asked) as token from series s where s.slug = ${slug}`)
  return rows[0]
}

export async function updateConfirmed(db: Db, token: string, now: Date): Promise<void> {
  await db.execute(sql`
    update series_notices set confirmed_at = ${now.toISOString()}::timestamptz
    where token = ${token}::uuid and confirmed_at is null`)
}

/** False if it was already deleted. */
export async function deleteNotice(db: Db, token: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`delete from series_notices where token = ${token}::uuid returning token`,
  )
  return rows.length > 0
}

export async function deleteUnconfirmed(db: Db, askedBefore: Date): Promise<void> {
  await db.execute(sql`
    delete from series_notices where confirmed_at is null and asked_at < ${askedBefore.toISOString()}::timestamptz`)
}

export interface Due extends Record<string, unknown> {
  token: string
  email: string
  series: string
  title: string
  format: 'audio_book' | 'e_book'
  slug: string
  number: string | null
}

/** Confirmed requests, each with the first new title on sale. */
export async function selectDue(db: Db, { after, limit }: Page): Promise<Due[]> {
  const { rows } = await db.execute<Due>(sql`
    select n.token, n.email, s.title as series, next.title, next.format, next.slug, next.number
    from series_notices n join series s on s.id = n.series_id
    cross join lateral (
      select b.title, b.format, b.slug, m.number from book_series m join books b on b.id = m.book_id
      where m.series_id = n.series_id and b.sellable and b.id <> all(n.known_book_ids)
        and (b.counterpart_id is null or b.counterpart_id <> all(n.known_book_ids))
      order by b.format, b.id limit 1) next
    where n.confirmed_at is not null and (${after}::uuid is null or n.token > ${after}::uuid)
    order by n.token limit ${limit}::int`)
  return rows
}
