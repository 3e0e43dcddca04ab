import { sql } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { Place } from './place-order.ts'

export interface Wanted {
  readonly userId: string
  readonly bookId: number
  readonly chapter: number
  readonly eventId: string
}

export interface Stored extends Place {
  readonly id: string
}

export interface StoredEvent {
  readonly slug: string
  readonly bookTime: Stored
  readonly chapterTime: Stored
  readonly otherPlace: Place | null
  readonly isNewBook: boolean
  readonly isNewChapter: boolean
}

export interface StoredState {
  readonly owned: boolean
  readonly knownSinceMs: number | null
  readonly standing: Stored | null
  readonly chapterTime: Stored | null
  /** Its id is a number as text. */
  readonly latestReplaced: Stored | null
}

/** In the order of the events and in one statement. */
export async function selectStoredStates(db: Db, wanted: readonly Wanted[]): Promise<StoredState[]> {
  const input = JSON.stringify(
    wanted.map(({ userId, bookId, chapter, eventId }, n) => [n, userId, bookId, chapter, eventId]),
  )
  const { rows } = await db.execute(sql`
    with wanted as materialized (
      select (w->>0)::int as n, (w->>1)::uuid as user_id, (w->>2)::int as book_id,
             (w->>3)::int as chapter, (w->>4)::uuid as event_id
      from jsonb_array_elements(${input}::jsonb) w
    )
    select l.id is not null as owned, ${epochMs('e.received_at')} as known_since,
           ${placeOf('t', 't')}, t.from_seconds as t_from_seconds, ${placeOf('c', 'c')}, ${placeOf('h', 'h')}
    from wanted w
    -- Each look-up by itself and by its index: a plan made while the tables are small would scan them for ever.
    left join lateral (
      select * from library_entries x where x.user_id = w.user_id and x.book_id = w.book_id limit 1
    ) l on true
    left join lateral (
      select * from listening_events x where x.user_id = w.user_id and x.event_id = w.event_id limit 1
    ) e on true
    left join lateral (
      select * from user_audio_book_times x where x.user_id = w.user_id and x.book_id = w.book_id limit 1
    ) t on true
    left join lateral (
      select * from user_chapter_times x
      where x.user_id = w.user_id and x.book_id = w.book_id and x.chapter = w.chapter limit 1
    ) c on true
    left join lateral (
      select * from place_history x
      where x.user_id = w.user_id and x.book_id = w.book_id order by x.id desc nulls last limit 1
    ) h on true
    order by w.n`)
  return rows.map((row) => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    owned: row.owned as boolean,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    knownSinceMs: row.known_since as number | null,
    standing: storedIn(row, 't'),
    chapterTime: storedIn(row, 'c'),
    latestReplaced: storedIn(row, 'h'),
  }))
}

export async function selectReplacedAt(
  db: Db,
  { userId, bookId, atMs }: { userId: string; bookId: number; atMs: number },
): Promise<Place[]> {
  const { rows } = await db.execute(sql`
    select ${placeOf('h', 'h')} from place_history h
    where h.user_id = ${userId} and h.book_id = ${bookId}
      and h.replaced_at = ${new Date(atMs).toISOString()}::timestamptz
    order by h.id desc limit 50`)
  return rows.flatMap((row) => storedIn(row, 'h') ?? [])
}

export interface Decision {
  readonly userId: string
  readonly bookId: number
  readonly id: string
  readonly standing: Place
  /** The decision is written only if this place is unchanged. */
  readonly seen: Place | null
  readonly eventIds: readonly string[]
  readonly chapterTimes: readonly Stored[]
  readonly folded: { readonly id: string; readonly place: Place } | null
  readonly replaced: readonly Place[]
}

/** Skips decisions whose place another instance has changed meanwhile. Returns the written ones, as `user book`. */
export async function writeDecisions(
  db: Db,
  decisions: readonly Decision[],
  now: RealTime,
): Promise<Set<string>> {
  const key = ({ userId, bookId }: Decision) => [userId, bookId]
  const groups = decisions.map((one) => [
    ...key(one),
    one.id,
    one.seen === null ? 'new' : one.seen.eventId === one.standing.eventId ? 'same' : 'moved',
    one.replaced.length,
    one.seen && iso(one.seen.heardAtMs),
    one.seen?.eventId || null,
    ...placeFields(one.standing),
    one.standing.fromSeconds ?? null,
  ])
  const chapters = decisions.flatMap((one) =>
    one.chapterTimes.map((time) => [...key(one), time.id, ...placeFields(time)]),
  )
  const events = decisions.flatMap((one) => one.eventIds.map((eventId) => [...key(one), eventId]))
  const folded = decisions.flatMap((one) =>
    one.folded ? [[...key(one), Number(one.folded.id), ...placeFields(one.folded.place)]] : [],
  )
  const replaced = decisions.flatMap((one) =>
    one.replaced.map((place) => [...key(one), ...placeFields(place)]),
  )
  const at = sql`${now.toISOString()}::timestamptz`

  const { rows } = await db.execute<{ user_id: string; book_id: number }>(sql`
    with groups as materialized (
      select (g->>0)::uuid as user_id, (g->>1)::int as book_id, (g->>2)::uuid as id, g->>3 as change,
             (g->>4)::int as added, (g->>5)::timestamptz as seen_heard_at, (g->>6)::uuid as seen_event_id,
             ${placeFrom('g', 7)}, (g->>13)::float8 as from_seconds
      from jsonb_array_elements(${JSON.stringify(groups)}::jsonb) g
    ), made as (
      insert into user_audio_book_times (id, user_id, book_id, ${PLACE}, from_seconds, updated_at)
      select id, user_id, book_id, ${PLACE}, from_seconds, ${at} from groups where change = 'new'
      on conflict (user_id, book_id) do nothing
      returning user_id, book_id
    ), moved as (
      update user_audio_book_times t
      set chapter = g.chapter, seconds = g.seconds, heard_at = g.heard_at, event_id = g.event_id,
          device_id = g.device_id, sequence = g.sequence, from_seconds = g.from_seconds, updated_at = ${at}
      from groups g
      where g.change = 'moved' and t.user_id = g.user_id and t.book_id = g.book_id
        and t.heard_at = g.seen_heard_at and t.event_id is not distinct from g.seen_event_id
      returning t.user_id, t.book_id
    ), done as (
      select * from made union all select * from moved
      union all select user_id, book_id from groups where change = 'same'
    ), kept_chapters as (
      insert into user_chapter_times as c (id, user_id, book_id, ${PLACE}, updated_at)
      select (j->>2)::uuid, done.user_id, done.book_id, ${placeFrom('j', 3)}, ${at}
      from jsonb_array_elements(${JSON.stringify(chapters)}::jsonb) j
      join done on done.user_id = (j->>0)::uuid and done.book_id = (j->>1)::int
      on conflict (user_id, book_id, chapter) do update
      set seconds = excluded.seconds, heard_at = excluded.heard_at, event_id = excluded.event_id,
          device_id = excluded.device_id, sequence = excluded.sequence, updated_at = excluded.updated_at
      where c.heard_at <= excluded.heard_at
    ), kept_events as (
      insert into listening_events (user_id, event_id, received_at)
      select done.user_id, (j->>2)::uuid, ${at}
      from jsonb_array_elements(${JSON.stringify(events)}::jsonb) j
      join done on done.user_id = (j->>0)::uuid and done.book_id = (j->>1)::int
      on conflict do nothing
    ), folded as (
      update place_history h
      set chapter = f.chapter, seconds = f.seconds, heard_at = f.heard_at, event_id = f.event_id,
          device_id = f.device_id, sequence = f.sequence, replaced_at = ${at}
      from (
        select (j->>2)::int as id, ${placeFrom('j', 3)}
        from jsonb_array_elements(${JSON.stringify(folded)}::jsonb) j
        join done on done.user_id = (j->>0)::uuid and done.book_id = (j->>1)::int
      ) f
      where h.id = f.id
    ), added as (
      insert into place_history (user_id, book_id, ${PLACE}, replaced_at)
      select done.user_id, done.book_id, ${placeFrom('r.j', 2)}, ${at}
      from jsonb_array_elements(${JSON.stringify(replaced)}::jsonb) with ordinality r(j, n)
      join done on done.user_id = (r.j->>0)::uuid and done.book_id = (r.j->>1)::int
      order by r.n
    ), trimmed as (
      delete from place_history h
      using groups g
      join done on done.user_id = g.user_id and done.book_id = g.book_id
      cross join lateral (
        select p.id from place_history p
        where p.user_id = g.user_id and p.book_id = g.book_id
        -- What is added above is not seen here yet.
        order by p.id desc nulls last offset greatest(0, ${HISTORY_KEPT} - g.added)
      ) old
      where g.added > 0 and h.id = old.id
    )
    select user_id, book_id from done`)
  return new Set(rows.map(({ user_id, book_id }) => `${user_id} ${book_id}`))
}

const HISTORY_KEPT = 50

const PLACE = sql.raw('chapter, seconds, heard_at, event_id, device_id, sequence')

const iso = (ms: number) => new Date(ms).toISOString()

const placeFields = ({ chapter, seconds, heardAtMs, eventId, deviceId, sequence }: Place) => [
  chapter,
  seconds,
  iso(heardAtMs),
  eventId || null,
  deviceId,
  sequence,
]

const placeFrom = (json: string, from: number) =>
  sql.raw(
    [
      `(${json}->>${from})::int as chapter`,
      `(${json}->>${from + 1})::float8 as seconds`,
      `(${json}->>${from + 2})::timestamptz as heard_at`,
      `(${json}->>${from + 3})::uuid as event_id`,
      `(${json}->>${from + 4})::uuid as device_id`,
      `(${json}->>${from + 5})::int as sequence`,
    ].join(', '),
  )

// Parsing a timestamp in the driver costs more than reading the row.
const epochMs = (column: string) => sql.raw(`date_part('epoch', ${column}) * 1000`)

const placeOf = (table: string, prefix: string) =>
  sql.raw(
    [
      `${table}.id as ${prefix}_id`,
      `${table}.chapter as ${prefix}_chapter`,
      `${table}.seconds as ${prefix}_seconds`,
      `date_part('epoch', ${table}.heard_at) * 1000 as ${prefix}_heard_at`,
      `${table}.event_id as ${prefix}_event_id`,
      `${table}.device_id as ${prefix}_device_id`,
      `${table}.sequence as ${prefix}_sequence`,
    ].join(', '),
  )

function storedIn(row: Record<string, unknown>, prefix: string): Stored | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
  const id = row[`${prefix}_id`] as string | number | null
  if (id === null) return null
  return {
    id: String(id),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    chapter: row[`${prefix}_chapter`] as number,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    seconds: row[`${prefix}_seconds`] as number,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    heardAtMs: Math.round(row[`${prefix}_heard_at`] as number),
    // An imported place has no event; represent it by an empty id.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    eventId: (row[`${prefix}_event_id`] as string | null) ?? '',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    deviceId: row[`${prefix}_device_id`] as string | null,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    sequence: row[`${prefix}_sequence`] as number,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of the statement above
    fromSeconds: (row[`${prefix}_from_seconds`] as number | null | undefined) ?? null,
  }
}
