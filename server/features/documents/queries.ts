import { and, desc, eq, isNull, lte, ne, sql } from 'drizzle-orm'
import type { DocumentKind } from '#contract/office/documents.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { documents, documentVersions, staffPresence } from '../../db/schema/documents.ts'
import { staff } from '../../db/schema/staff.ts'

export type DocumentRow = typeof documents.$inferSelect

export async function selectDocument(
  db: Db,
  kind: DocumentKind,
  key: string,
): Promise<DocumentRow | undefined> {
  const [row] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.kind, kind), eq(documents.key, key)))
  return row
}

/** Held until the transaction ends, so that saving, publishing and importing don't overtake each other. */
export async function lockDocument(
  db: Db,
  kind: DocumentKind,
  key: string,
): Promise<DocumentRow | undefined> {
  const [row] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.kind, kind), eq(documents.key, key)))
    .for('update')
  return row
}

export async function insertDocument(
  db: Db,
  values: typeof documents.$inferInsert,
): Promise<DocumentRow | undefined> {
  const [row] = await db.insert(documents).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateDocument(
  db: Db,
  id: number,
  values: Partial<typeof documents.$inferInsert>,
): Promise<void> {
  await db.update(documents).set(values).where(eq(documents.id, id))
}

export async function insertVersion(db: Db, values: typeof documentVersions.$inferInsert): Promise<number> {
  const [row] = await db.insert(documentVersions).values(values).returning({ id: documentVersions.id })
  return row!.id
}

const VERSIONS_AT_MOST = 200

export const selectVersions = (db: Db, documentId: number) =>
  db
    .select({
      id: documentVersions.id,
      at: documentVersions.at,
      by: documentVersions.by,
      what: documentVersions.what,
    })
    .from(documentVersions)
    .where(eq(documentVersions.documentId, documentId))
    .orderBy(desc(documentVersions.id))
    .limit(VERSIONS_AT_MOST)

export async function selectVersion(db: Db, documentId: number, id: number) {
  const [row] = await db
    .select()
    .from(documentVersions)
    .where(and(eq(documentVersions.documentId, documentId), eq(documentVersions.id, id)))
  return row
}

/** The newest first. */
export const selectPublished = (db: Db, documentId: number, limit: number) =>
  db
    .select()
    .from(documentVersions)
    .where(and(eq(documentVersions.documentId, documentId), eq(documentVersions.what, 'published')))
    .orderBy(desc(documentVersions.id))
    .limit(limit)

export const selectLastPublished = async (db: Db, documentId: number) =>
  (await selectPublished(db, documentId, 1))[0]

export const selectDueDocuments = (db: Db, now: RealTime): Promise<DocumentRow[]> =>
  db.select().from(documents).where(lte(documents.publishAt, now)).orderBy(documents.publishAt).limit(100)

/** The row stays: it keeps an import from bringing back what was retired here. */
export async function emptyBin(db: Db, before: Date): Promise<void> {
  const binned = sql`${documents.binnedAt} < ${before.toISOString()}::timestamptz`
  await db
    .delete(documentVersions)
    .where(sql`${documentVersions.documentId} in (select ${documents.id} from ${documents} where ${binned})`)
  await db.update(documents).set({ draft: null }).where(binned)
}

const PRESENT_MS = 45_000
const TYPING_MS = 60_000

export async function notePresence(
  db: Db,
  {
    thing,
    staffId,
    now,
    isTyping,
  }: { readonly thing: string; readonly staffId: string; readonly now: RealTime; readonly isTyping: boolean },
): Promise<void> {
  const set = { seenAt: now, ...(isTyping && { typedAt: now }) }
  await db
    .insert(staffPresence)
    .values({ thing, staffId, ...set })
    .onConflictDoUpdate({ target: [staffPresence.thing, staffPresence.staffId], set })
}

export async function forgetPresence(db: Db, thing: string, staffId: string): Promise<void> {
  await db
    .delete(staffPresence)
    .where(and(eq(staffPresence.thing, thing), eq(staffPresence.staffId, staffId)))
}

export async function selectOthers(
  db: Db,
  { thing, staffId, now }: { readonly thing: string; readonly staffId: string; readonly now: RealTime },
): Promise<{ name: string; isTyping: boolean }[]> {
  const rows = await db
    .select({ name: staff.name, typedAt: staffPresence.typedAt })
    .from(staffPresence)
    .innerJoin(staff, eq(staff.id, staffPresence.staffId))
    .where(
      and(
        eq(staffPresence.thing, thing),
        ne(staffPresence.staffId, staffId),
        sql`${staffPresence.seenAt} > ${new Date(now.getTime() - PRESENT_MS).toISOString()}::timestamptz`,
      ),
    )
    .orderBy(staff.name)
    .limit(20)
  return rows.map(({ name, typedAt }) => ({
    name,
    isTyping: typedAt !== null && now.getTime() - typedAt.getTime() < TYPING_MS,
  }))
}

export async function deleteOldPresence(db: Db, before: Date): Promise<void> {
  await db.delete(staffPresence).where(sql`${staffPresence.seenAt} < ${before.toISOString()}::timestamptz`)
}

export const selectMonthDrafts = (db: Db) =>
  db
    .select({
      key: documents.key,
      hasDraft: sql<boolean>`${documents.draft} is not null`,
      savedBy: documents.savedBy,
    })
    .from(documents)
    .where(and(eq(documents.kind, 'month'), isNull(documents.binnedAt)))
    .limit(1_000)
