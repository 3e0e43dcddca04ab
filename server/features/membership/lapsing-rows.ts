import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

/** Free audiobooks of an account that nobody chose yet, the first day on which one of them lapses. */
export interface Lapsing {
  readonly userId: string
  readonly until: Date
  readonly left: number
}

/** A page of the accounts; the next one begins after the last of this one. */
export async function selectLapsing(
  db: Db,
  { now, until }: { readonly now: Date; readonly until: Date },
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Lapsing[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ user_id: string; until: string | Date; left: number }>(sql`
    select user_id, min(usable_until) as until, count(*)::int as left
    from credits
    where spent_at is null and revoked_at is null
      and usable_until > ${at} and usable_until <= ${until.toISOString()}::timestamptz
      and usable_from <= ${at} and (held_until is null or held_until <= ${at})
      and (${after}::uuid is null or user_id > ${after}::uuid)
    group by user_id order by user_id limit ${limit}`)
  return rows.map((row) => ({ userId: row.user_id, until: new Date(row.until), left: row.left }))
}

/** When the first one lapses after an instant; null where none does. */
export async function selectNextLapsing(db: Db, after: Date): Promise<Date | null> {
  const { rows } = await db.execute<{ until: string | Date | null }>(sql`
    select min(usable_until) as until from credits
    where spent_at is null and revoked_at is null and usable_until > ${after.toISOString()}::timestamptz`)
  const until = rows[0]?.until ?? null
  return until === null ? null : new Date(until)
}
