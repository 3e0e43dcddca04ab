import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { books, priceChanges } from '../../db/schema/catalogue.ts'

export type PriceChange = typeof priceChanges.$inferSelect

export const selectPriceChanges = (db: Db, bookId: number): Promise<PriceChange[]> =>
  db
    .select()
    .from(priceChanges)
    .where(and(eq(priceChanges.bookId, bookId), isNull(priceChanges.endedAt)))
    .orderBy(asc(priceChanges.startsAt))

export async function selectPriceChange(db: Db, id: number): Promise<PriceChange | undefined> {
  const [row] = await db.select().from(priceChanges).where(eq(priceChanges.id, id)).for('update')
  return row
}

export async function insertPriceChanges(
  db: Db,
  changes: readonly (typeof priceChanges.$inferInsert)[],
): Promise<number[]> {
  const rows = await db
    .insert(priceChanges)
    .values([...changes])
    .returning({ id: priceChanges.id })
  return rows.map(({ id }) => id)
}

/** Those that start or end now, oldest first. */
export const selectDuePriceChanges = (db: Db, now: BusinessTime): Promise<PriceChange[]> =>
  db
    .select()
    .from(priceChanges)
    .where(
      and(
        isNull(priceChanges.endedAt),
        or(
          and(isNull(priceChanges.startedAt), lte(priceChanges.startsAt, now)),
          lte(priceChanges.endsAt, now),
        ),
      ),
    )
    .orderBy(asc(priceChanges.startsAt), asc(priceChanges.id))
    .limit(500)

/** Open ones of these books that start at this time. */
export const selectPriceChangesAt = (
  db: Db,
  bookIds: readonly number[],
  startsAt: BusinessTime,
): Promise<PriceChange[]> =>
  db
    .select()
    .from(priceChanges)
    .where(
      and(
        isNull(priceChanges.endedAt),
        eq(priceChanges.startsAt, startsAt),
        sql`${priceChanges.bookId} = any(${sql.param([...bookIds])}::int[])`,
      ),
    )

export async function selectNextPriceChange(db: Db, now: BusinessTime): Promise<Date | null> {
  const { rows } = await db.execute<{ next: string | null }>(sql`
    select min(at) as next from (
      select starts_at as at from price_changes where ended_at is null and started_at is null
      union all select ends_at from price_changes where ended_at is null) due
    where at > ${now.toISOString()}::timestamptz`)
  const next = rows[0]?.next
  return next ? new Date(next) : null
}

export async function updatePriceChange(
  db: Db,
  id: number,
  change: Partial<typeof priceChanges.$inferInsert>,
): Promise<void> {
  await db.update(priceChanges).set(change).where(eq(priceChanges.id, id))
}

export interface StandingPrice {
  readonly id: number
  readonly slug: string
  readonly format: 'audio_book' | 'e_book'
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly published: boolean
  readonly state: string
  readonly setByOwner: string[]
}

export const selectStandingPrices = (db: Db, ids: readonly number[]): Promise<StandingPrice[]> =>
  db
    .select({
      id: books.id,
      slug: books.slug,
      format: books.format,
      priceMinor: books.priceMinor,
      memberPriceMinor: books.memberPriceMinor,
      published: books.published,
      state: books.state,
      setByOwner: books.setByOwner,
    })
    .from(books)
    .where(sql`${books.id} = any(${sql.param([...ids])}::int[])`)
    .for('update')
