import { and, asc, count, desc, eq, isNull, notInArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { Db } from '../../db/open.ts'
import { bookmarkHistory, bookmarks, highlightHistory, highlights } from '../../db/schema/notes.ts'
import { books } from '../../db/schema/catalogue.ts'
import { deleteOldRemovals, type SyncedTable, type Version } from '../synced-rows/queries.ts'

export interface WrittenNote extends Version {
  readonly note: string
}

export interface NoteRow extends WrittenNote {
  readonly id: string
  readonly bookId: number
  readonly slug: string
  readonly madeAt: Date
  readonly removedAt: Date | null
}

export interface BookmarkRow extends NoteRow {
  readonly chapter: number
  readonly seconds: number
  readonly sentence: string
}

export interface HighlightRow extends NoteRow {
  readonly locator: string
  readonly share: number
  readonly quote: string
  readonly chapter: string
}

interface NoteKind<Row extends NoteRow> {
  readonly name: 'bookmarks' | 'highlights'
  readonly rows: SyncedTable & Readonly<Record<'bookId', PgColumn>>
  readonly history: PgTable & Readonly<Record<keyof WrittenNote | 'userId' | 'id', PgColumn>>
  readonly historyKey: 'bookmarkId' | 'highlightId'
  readonly historyOf: PgColumn
  readonly columns: Readonly<Record<keyof Row, PgColumn>>
  readonly order: readonly PgColumn[]
  readonly erased: Partial<Row>
}
export type { NoteKind }

const sharedColumns = (rows: typeof bookmarks | typeof highlights) => ({
  id: rows.id,
  bookId: rows.bookId,
  slug: books.slug,
  note: rows.note,
  madeAt: rows.madeAt,
  changedAt: rows.changedAt,
  eventId: rows.eventId,
  deviceId: rows.deviceId,
  sequence: rows.sequence,
  removedAt: rows.removedAt,
})

export const BOOKMARKS: NoteKind<BookmarkRow> = {
  name: 'bookmarks',
  rows: bookmarks,
  history: bookmarkHistory,
  historyKey: 'bookmarkId',
  historyOf: bookmarkHistory.bookmarkId,
  columns: {
    ...sharedColumns(bookmarks),
    chapter: bookmarks.chapter,
    seconds: bookmarks.seconds,
    sentence: bookmarks.sentence,
  },
  order: [bookmarks.bookId, bookmarks.chapter, bookmarks.seconds, bookmarks.id],
  erased: { note: '', sentence: '' },
}

export const HIGHLIGHTS: NoteKind<HighlightRow> = {
  name: 'highlights',
  rows: highlights,
  history: highlightHistory,
  historyKey: 'highlightId',
  historyOf: highlightHistory.highlightId,
  columns: {
    ...sharedColumns(highlights),
    locator: highlights.locator,
    share: highlights.share,
    quote: highlights.quote,
    chapter: highlights.chapter,
  },
  order: [highlights.bookId, highlights.share, highlights.madeAt, highlights.id],
  erased: { note: '', quote: '' },
}

const isNote = ({ rows }: Pick<NoteKind<never>, 'rows'>, userId: string, id: string) =>
  and(eq(rows.userId, userId), eq(rows.id, id))

export async function selectNote<Row extends NoteRow>(
  db: Db,
  kind: NoteKind<Row>,
  userId: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await db
    .select(kind.columns)
    .from(kind.rows)
    .innerJoin(books, eq(books.id, kind.rows.bookId))
    .where(isNote(kind, userId, id))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `columns` has the fields of `Row`
  return row as Row | undefined
}

export async function selectNotes<Row extends NoteRow>(
  db: Db,
  kind: NoteKind<Row>,
  { userId, slug, page }: { userId: string; slug: string | undefined; page: PageOf },
): Promise<{ rows: Row[]; total: number }> {
  const wanted = and(
    eq(kind.rows.userId, userId),
    isNull(kind.rows.removedAt),
    slug === undefined ? undefined : eq(books.slug, slug),
  )
  const rows = await db
    .select(kind.columns)
    .from(kind.rows)
    .innerJoin(books, eq(books.id, kind.rows.bookId))
    .where(wanted)
    .orderBy(...kind.order.map((column) => asc(column)))
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(kind.rows)
    .innerJoin(books, eq(books.id, kind.rows.bookId))
    .where(wanted)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `columns` has the fields of `Row`
  return { rows: rows as unknown as Row[], total: all!.total }
}

export async function countNotes(
  db: Db,
  { rows }: Pick<NoteKind<never>, 'rows'>,
  userId: string,
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(rows)
    .where(and(eq(rows.userId, userId), isNull(rows.removedAt)))
  return row!.total
}

export async function insertNote<Row extends NoteRow>(
  db: Db,
  kind: NoteKind<Row>,
  userId: string,
  { slug: _slug, ...row }: Row,
): Promise<void> {
  await db.insert(kind.rows).values({ userId, ...row })
}

export async function updateNote(
  db: Db,
  kind: Pick<NoteKind<never>, 'rows'>,
  note: { readonly userId: string; readonly id: string },
  { note: text, changedAt, eventId, deviceId, sequence }: WrittenNote,
): Promise<void> {
  await db
    .update(kind.rows)
    .set({ note: text, changedAt, eventId, deviceId, sequence })
    .where(isNote(kind, note.userId, note.id))
}

const HISTORY_KEPT = 50
/** Per account and kind, for all notes together: otherwise 2,000 bookmarks could store 100,000 notes. */
const HISTORY_KEPT_OF_ACCOUNT = 2000

type History = Pick<NoteKind<never>, 'history' | 'historyKey' | 'historyOf'>

/** Once per event; deletes the oldest entries above both limits. */
export async function insertEarlierNote(
  db: Db,
  { history, historyKey, historyOf }: History,
  { userId, id }: { readonly userId: string; readonly id: string },
  { note, changedAt, eventId, deviceId, sequence }: WrittenNote,
): Promise<void> {
  const ofUser = eq(history.userId, userId)
  const ofNote = and(ofUser, eq(historyOf, id))
  if (eventId !== null) {
    const [known] = await db
      .select({ id: history.id })
      .from(history)
      .where(and(ofNote, eq(history.eventId, eventId)))
    if (known) return
  }
  await db.insert(history).values({ userId, [historyKey]: id, note, changedAt, eventId, deviceId, sequence })
  for (const [of, most] of [
    [ofNote, HISTORY_KEPT],
    [ofUser, HISTORY_KEPT_OF_ACCOUNT],
  ] as const) {
    const kept = db.select({ id: history.id }).from(history).where(of).orderBy(desc(history.id)).limit(most)
    await db.delete(history).where(and(of, notInArray(history.id, kept)))
  }
}

export async function selectEarlierNotes(
  db: Db,
  { history, historyOf }: History,
  userId: string,
  id: string,
): Promise<Pick<WrittenNote, 'note' | 'changedAt' | 'deviceId'>[]> {
  const rows = await db
    .select({ note: history.note, changedAt: history.changedAt, deviceId: history.deviceId })
    .from(history)
    .where(and(eq(history.userId, userId), eq(historyOf, id)))
    .orderBy(desc(history.changedAt), desc(history.id))
    .limit(HISTORY_KEPT)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both tables have these columns of `writtenNote`
  return rows as Pick<WrittenNote, 'note' | 'changedAt' | 'deviceId'>[]
}

const REMOVED_KEPT = 1000

/** Keeps the id, so that a late repeat does not create the note again. */
export async function markRemoved<Row extends NoteRow>(
  db: Db,
  kind: NoteKind<Row>,
  { userId, id }: { readonly userId: string; readonly id: string },
  removedAt: Date,
): Promise<void> {
  const { history, historyOf, rows, erased } = kind
  await db.delete(history).where(and(eq(history.userId, userId), eq(historyOf, id)))
  await db
    .update(rows)
    .set({ ...erased, removedAt })
    .where(isNote(kind, userId, id))
  await deleteOldRemovals(db, rows, userId, REMOVED_KEPT)
}
