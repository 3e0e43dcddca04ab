import { and, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { listeningEvents } from '../../db/schema/listening.ts'
import { readingPlaces } from '../../db/schema/library.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'

const columns = {
  id: readingPlaces.id,
  slug: books.slug,
  locator: readingPlaces.locator,
  share: readingPlaces.share,
  readAt: readingPlaces.readAt,
  eventId: readingPlaces.eventId,
  deviceId: readingPlaces.deviceId,
}

export type PlaceRow = Awaited<ReturnType<typeof selectPlaces>>['rows'][number]

export async function selectPlaces(
  db: Db,
  { userId, slug, page }: { userId: string; slug: string | undefined; page: PageOf },
) {
  const wanted: SQL | undefined = and(
    eq(readingPlaces.userId, userId),
    slug === undefined ? undefined : eq(books.slug, slug),
  )
  const rows = await db
    .select(columns)
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(wanted)
    .orderBy(desc(readingPlaces.readAt), readingPlaces.id)
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(wanted)
  return { rows, total: all!.total }
}

export async function selectPlace(db: Db, { userId, bookId }: { userId: string; bookId: number }) {
  const [row] = await db
    .select(columns)
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(and(eq(readingPlaces.userId, userId), eq(readingPlaces.bookId, bookId)))
  return row
}

/** False for a repeated event. Reading and listening share the table. */
export async function insertEvent(db: Db, event: typeof listeningEvents.$inferInsert): Promise<boolean> {
  const inserted = await db.insert(listeningEvents).values(event).onConflictDoNothing().returning()
  return inserted.length > 0
}

const NOBODY = sql.raw(`'00000000-0000-0000-0000-000000000000'::uuid`)

/** A place read later wins, in any order of arrival. True for a new row. */
export async function writePlace(db: Db, place: typeof readingPlaces.$inferInsert): Promise<boolean> {
  const order = (table: 'user_e_book_places' | 'excluded') => {
    const column = (name: string) => sql.raw(`${table}.${name}`)
    return sql`(${column('read_at')}, coalesce(${column('device_id')}, ${NOBODY}), ${column('sequence')},
      coalesce(${column('event_id')}, ${NOBODY}))`
  }
  const [written] = await db
    .insert(readingPlaces)
    .values(place)
    .onConflictDoUpdate({
      target: [readingPlaces.userId, readingPlaces.bookId],
      set: {
        locator: sql`excluded.locator`,
        share: sql`excluded.share`,
        readAt: sql`excluded.read_at`,
        eventId: sql`excluded.event_id`,
        deviceId: sql`excluded.device_id`,
        sequence: sql`excluded.sequence`,
      },
      setWhere: sql`${order('excluded')} > ${order('user_e_book_places')}`,
    })
    // `xmax` is 0 for an inserted row; for an updated row it is the id of this transaction.
    .returning({ isNew: sql<boolean>`xmax = 0` })
  return written?.isNew ?? false
}
