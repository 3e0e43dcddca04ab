import { sql } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { Tier } from '#contract/plans.ts'

export interface EventRow extends Record<string, unknown> {
  id: number
  slug: string
  title: string
  /** ISO 8601 in UTC. */
  starts_at: string
  ends_at: string | null
  place: string | null
  place_note: string | null
  seats: number
  taken: number
  member_only: boolean
  minimum_tier: Tier | null
}

const EVENT = sql`
  e.id, e.slug, e.title, e.place, e.place_note, e.seats, e.member_only, e.minimum_tier,
  to_char(e.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at,
  to_char(e.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ends_at,
  (select count(*)::int from event_seats s where s.item_id = e.id and s.confirmed_at is not null) as taken`

const KEEPS_SEATS = sql`e.kind = 'discussion' and e.published and e.seats is not null and e.starts_at is not null`

export async function selectEvent(db: Db, slug: string): Promise<EventRow | undefined> {
  const { rows } = await db.execute<EventRow>(
    sql`select ${EVENT} from editorial_items e where e.slug = ${slug} and ${KEEPS_SEATS}`,
  )
  return rows[0]
}

/** Seats are counted and given under this lock, so that no two people get the last one. */
export async function lockEvent(tx: Transaction, slug: string): Promise<EventRow | undefined> {
  await tx.execute(sql`select from editorial_items e where e.slug = ${slug} and ${KEEPS_SEATS} for update`)
  return selectEvent(tx, slug)
}

export interface SeatRow extends Record<string, unknown> {
  token: string
  user_id: string | null
  email: string | null
  confirmed: boolean
}

const SEAT = sql`s.token, s.user_id, s.email, s.confirmed_at is not null as confirmed`

/** The account's, or a guest's of the same address; that one only if the account has confirmed the address. */
export async function selectSeatOfUser(db: Db, itemId: number, userId: string): Promise<SeatRow | undefined> {
  const { rows } = await db.execute<SeatRow>(sql`
    select ${SEAT} from event_seats s where s.item_id = ${itemId} and (s.user_id = ${userId}::uuid
      or s.email = (select lower(u.email) from users u where u.id = ${userId}::uuid and u.confirmed_at is not null))
    order by s.user_id is null, s.confirmed_at is null limit 1`)
  return rows[0]
}

export async function insertSeat(
  tx: Transaction,
  itemId: number,
  userId: string,
  now: RealTime,
): Promise<string> {
  const { rows } = await tx.execute<{ token: string }>(sql`
    insert into event_seats (item_id, user_id, asked_at, confirmed_at)
    values (${itemId}, ${userId}::uuid, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)
    returning token`)
  return rows[0]!.token
}

/** An account takes over the seat that it asked for as a guest. */
export async function adoptSeat(
  tx: Transaction,
  token: string,
  userId: string,
  now: RealTime,
): Promise<void> {
  await tx.execute(sql`
    update event_seats set user_id = ${userId}::uuid, email = null, name = null,
      confirmed_at = coalesce(confirmed_at, ${now.toISOString()}::timestamptz) where token = ${token}::uuid`)
}

/** Asking again changes only the name, and that only before the confirmation. */
export async function insertGuest(
  db: Db,
  itemId: number,
  { email, name }: { email: string; name: string },
  now: RealTime,
): Promise<SeatRow> {
  const { rows } = await db.execute<SeatRow>(sql`
    insert into event_seats as s (item_id, email, name, asked_at)
    values (${itemId}, ${email.toLowerCase()}, ${name}, ${now.toISOString()}::timestamptz)
    on conflict (item_id, email) do update
      set name = case when s.confirmed_at is null then excluded.name else s.name end
    returning ${SEAT}`)
  return rows[0]!
}

interface TokenRow extends SeatRow {
  slug: string
}

export async function selectByToken(db: Db, token: string): Promise<TokenRow | undefined> {
  const { rows } = await db.execute<TokenRow>(sql`
    select ${SEAT}, e.slug from event_seats s join editorial_items e on e.id = s.item_id
    where s.token = ${token}::uuid`)
  return rows[0]
}

export async function confirmSeatOf(tx: Transaction, token: string, now: RealTime): Promise<void> {
  await tx.execute(
    sql`update event_seats set confirmed_at = ${now.toISOString()}::timestamptz where token = ${token}::uuid`,
  )
}

export async function deleteSeat(db: Db, token: string): Promise<void> {
  await db.execute(sql`delete from event_seats where token = ${token}::uuid`)
}

export async function selectAddress(db: Db, userId: string) {
  const { rows } = await db.execute<{ email: string; confirmed: boolean }>(
    sql`select email, confirmed_at is not null as confirmed from users where id = ${userId}::uuid`,
  )
  return rows[0]
}

export interface OwnSeatRow extends Record<string, unknown> {
  slug: string
  title: string
  starts_at: string
  ends_at: string | null
  place: string | null
}

export async function selectOwnSeats(db: Db, userId: string, now: RealTime): Promise<OwnSeatRow[]> {
  const { rows } = await db.execute<OwnSeatRow>(sql`
    select distinct ${EVENT}, e.starts_at as at from event_seats s join editorial_items e on e.id = s.item_id
    where s.confirmed_at is not null and ${KEEPS_SEATS} and (s.user_id = ${userId}::uuid
      or s.email = (select lower(u.email) from users u where u.id = ${userId}::uuid and u.confirmed_at is not null))
      and coalesce(e.ends_at, e.starts_at + interval '1 day') > ${now.toISOString()}::timestamptz
    order by at, e.id limit 50`)
  return rows
}

export interface Listed extends Record<string, unknown> {
  name: string
  email: string
  guest: boolean
  kept_at: Date
}

/** For the door, in the order of the names. */
export async function selectKeptSeats(db: Db, itemId: number): Promise<Listed[]> {
  const { rows } = await db.execute<Listed>(sql`
    select coalesce(s.name, nullif(trim(u.first_name || ' ' || u.last_name), ''), '') as name,
      coalesce(s.email, u.email) as email, s.user_id is null as guest, s.confirmed_at as kept_at
    from event_seats s left join users u on u.id = s.user_id
    where s.item_id = ${itemId} and s.confirmed_at is not null order by lower(coalesce(s.name, u.last_name)), 2 limit 10000`)
  return rows
}

export async function selectEvents(db: Db): Promise<EventRow[]> {
  const { rows } = await db.execute<EventRow>(
    sql`select ${EVENT} from editorial_items e where ${KEEPS_SEATS} order by e.starts_at desc, e.id limit 200`,
  )
  return rows
}

/** Unconfirmed ones after a month, and all of an event a month after it. */
export async function deleteOldSeats(db: Db, before: Date): Promise<void> {
  await db.execute(sql`
    delete from event_seats s using editorial_items e where e.id = s.item_id
      and (e.starts_at < ${before.toISOString()}::timestamptz
        or (s.confirmed_at is null and s.asked_at < ${before.toISOString()}::timestamptz))`)
}
