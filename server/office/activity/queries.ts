import { and, desc, eq, gte, ilike, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { LogbookEntry } from '../../db/logbook-queries.ts'
import { logbook, undoneEntries } from '../../db/schema/logbook.ts'

export interface ActivityFilter {
  readonly words?: string | undefined
  readonly by?: string | undefined
  readonly kind?: string | undefined
  readonly about?: string | undefined
  readonly since?: Date | undefined
}

function whereOf({ words, by, kind, about, since }: ActivityFilter): SQL | undefined {
  const like = words ? `%${words.replaceAll(/[%_\\]/g, '\\$&')}%` : undefined
  return and(
    like === undefined
      ? undefined
      : or(
          ilike(logbook.what, like),
          ilike(logbook.because, like),
          ilike(logbook.about, like),
          ilike(logbook.by, like),
        ),
    by ? eq(logbook.by, by) : undefined,
    kind ? eq(logbook.command, kind) : undefined,
    about ? eq(logbook.about, about) : undefined,
    since ? gte(logbook.at, since) : undefined,
  )
}

export const selectActivity = (
  db: Db,
  filter: ActivityFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<LogbookEntry[]> =>
  db
    .select()
    .from(logbook)
    .where(and(whereOf(filter), before === undefined ? undefined : lt(logbook.id, before)))
    .orderBy(desc(logbook.id))
    .limit(limit)

export async function countActivity(db: Db, filter: ActivityFilter): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(logbook)
    .where(whereOf(filter))
  return row!.count
}

/** Undone entries by number, and who undid them. */
export async function selectUndone(
  db: Db,
  entries: readonly number[],
): Promise<ReadonlyMap<number, { readonly by: string; readonly at: Date }>> {
  if (entries.length === 0) return new Map()
  const rows = await db
    .select({ undoes: logbook.undoes, by: logbook.by, at: logbook.at })
    .from(logbook)
    .where(
      and(isNotNull(logbook.undoes), eq(logbook.outcome, 'done'), sql`${logbook.undoes} in ${[...entries]}`),
    )
    .limit(entries.length * 2)
  return new Map(rows.map(({ undoes, by, at }) => [undoes!, { by, at }]))
}

const NAMES_AT_MOST = 200

export async function selectActivityFacets(db: Db): Promise<{ people: string[]; kinds: string[] }> {
  const [people, kinds] = await Promise.all([
    db.selectDistinct({ name: logbook.by }).from(logbook).orderBy(logbook.by).limit(NAMES_AT_MOST),
    db.selectDistinct({ name: logbook.command }).from(logbook).orderBy(logbook.command).limit(NAMES_AT_MOST),
  ])
  return { people: people.map(({ name }) => name), kinds: kinds.map(({ name }) => name) }
}

export async function selectEntry(db: Db, id: number): Promise<LogbookEntry | undefined> {
  const [row] = await db.select().from(logbook).where(eq(logbook.id, id))
  return row
}

/** Returns false if the act is being undone or was undone already. */
export async function claimUndo(db: Db, entry: number): Promise<boolean> {
  const claimed = await db.insert(undoneEntries).values({ entry }).onConflictDoNothing().returning()
  return claimed.length > 0
}

export async function releaseUndo(db: Db, entry: number): Promise<void> {
  await db.delete(undoneEntries).where(eq(undoneEntries.entry, entry))
}
