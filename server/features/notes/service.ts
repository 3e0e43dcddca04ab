import { CHAPTER_SLACK_SECONDS, PAGE_SIZE } from '#contract/limits.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound, outdated, unprocessable } from '../../http/http-errors.ts'
import { isUuid } from '../../http/schemas.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { publishTransient } from '../feed/service.ts'
import { ownsBook } from '../library/queries.ts'
import { type ChapterOffsets, chapterNow } from '../listening/place-order.ts'
import {
  lockRows,
  selectBookId,
  isNewerVersion,
  type SentVersion,
  versionOf,
} from '../synced-rows/queries.ts'
import {
  BOOKMARKS,
  type BookmarkRow,
  countNotes,
  type HighlightRow,
  HIGHLIGHTS,
  insertEarlierNote,
  insertNote,
  markRemoved,
  type NoteKind,
  type NoteRow,
  selectEarlierNotes,
  selectNote,
  updateNote,
  type WrittenNote,
} from './queries.ts'

type NotesShop = Pick<Shop, 'db' | 'now' | 'log'>

/** For bookmarks and highlights together: more than a device collects offline on a long journey. */
const CHANGES: Limit = { name: 'marks of', most: 600, windowSeconds: 3600 }

export interface SentNote extends SentVersion {
  readonly note: string
}

export interface SentBookmark extends SentNote, Pick<BookmarkRow, 'id' | 'chapter' | 'seconds'> {
  /** SHA-256 of the chapter's file. */
  readonly sound?: string
  readonly sentence?: string
}

export interface SentHighlight
  extends SentNote, Pick<HighlightRow, 'id' | 'locator' | 'share' | 'quote' | 'chapter'> {}

/** @throws 404 for a book that is not in the library, 422 for an unknown position; 409, 422, 429 as `createNote` */
export async function createBookmark(
  shop: NotesShop,
  userId: string,
  timeline: ChapterOffsets | null,
  { id, chapter: numberThen, seconds, sound, sentence = '', ...sent }: SentBookmark,
): Promise<Created<BookmarkRow>> {
  await countChange(shop, userId)
  if (!timeline || !(await ownsBook(shop.db, userId, timeline.bookId))) throw notFound()
  const chapter = chapterNow(timeline, { chapter: numberThen, ...(sound === undefined ? {} : { sound }) })
  refusePlace(timeline, { chapter, seconds })
  const { bookId, slug } = timeline
  return createNote(shop, BOOKMARKS, { userId, id, sent }, { bookId, slug, chapter, seconds, sentence })
}

/** @throws 404 for an e-book that is not in the library; 409, 422, 429 as `createNote` */
export async function createHighlight(
  shop: NotesShop,
  userId: string,
  slug: string,
  { id, locator, share, quote, chapter, ...sent }: SentHighlight,
): Promise<Created<HighlightRow>> {
  await countChange(shop, userId)
  const bookId = await selectBookId(shop.db, 'e_book', slug)
  if (bookId === undefined || !(await ownsBook(shop.db, userId, bookId))) throw notFound()
  return createNote(shop, HIGHLIGHTS, { userId, id, sent }, { bookId, slug, locator, share, quote, chapter })
}

interface Created<Row> {
  readonly row: Row
  readonly isNew: boolean
}

interface Change {
  readonly userId: string
  readonly id: string
  readonly sent: SentNote
}

type PlaceOf<Row extends NoteRow> = Omit<Row, Exclude<keyof NoteRow, 'bookId' | 'slug'>>

/** The newer note wins. @throws 409 for a removed one, 422 for too many */
async function createNote<Row extends NoteRow>(
  shop: NotesShop,
  kind: NoteKind<Row>,
  { userId, id, sent }: Change,
  place: PlaceOf<Row>,
): Promise<Created<Row>> {
  const { name } = kind
  const written = writtenNote(sent, shop.now())
  const created = await shop.db.transaction(async (tx) => {
    await lockRows(tx, name, userId)
    const before = await selectNote(tx, kind, userId, id)
    if (before?.removedAt) throw outdated(`This ${name.slice(0, -1)} was removed.`)
    if (before) return { row: await writeNote(tx, kind, userId, before, written), isNew: false }
    if ((await countNotes(tx, kind, userId)) >= PAGE_SIZE.bookmarks)
      throw unprocessable('', `You have ${PAGE_SIZE.bookmarks} ${name}. Remove one to add another.`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the place has what a `NoteRow` lacks
    const row = { ...place, ...written, id, madeAt: written.changedAt, removedAt: null } as unknown as Row
    await insertNote(tx, kind, userId, row)
    return { row, isNew: true }
  })
  await announce(shop, kind, userId, created.row.slug, written.deviceId)
  return created
}

/** @throws 404 if the note is not the caller's or was removed, 429 for too many changes */
export async function changeNote<Row extends NoteRow>(
  shop: NotesShop,
  kind: NoteKind<Row>,
  { userId, id, sent }: Change,
): Promise<Row> {
  await countChange(shop, userId)
  const written = writtenNote(sent, shop.now())
  const changed = await shop.db.transaction(async (tx) => {
    await lockRows(tx, kind.name, userId)
    const before = await ownNote(tx, kind, userId, id)
    if (before.removedAt) throw notFound()
    return writeNote(tx, kind, userId, before, written)
  })
  await announce(shop, kind, userId, changed.slug, written.deviceId)
  return changed
}

/** A removal wins over every note. @throws 404 if the note is not the caller's */
export async function removeNote<Row extends NoteRow>(
  shop: NotesShop,
  kind: NoteKind<Row>,
  {
    userId,
    id,
    deviceId,
  }: { readonly userId: string; readonly id: string; readonly deviceId?: string | undefined },
): Promise<void> {
  const removed = await shop.db.transaction(async (tx) => {
    await lockRows(tx, kind.name, userId)
    const before = await ownNote(tx, kind, userId, id)
    if (before.removedAt) return undefined
    await markRemoved(tx, kind, { userId, id }, shop.now())
    return before
  })
  if (removed) await announce(shop, kind, userId, removed.slug, deviceId ?? null)
}

/** @throws 404 if the note is not the caller's or was removed */
export async function earlierNotes<Row extends NoteRow>(
  { db }: Pick<Shop, 'db'>,
  kind: NoteKind<Row>,
  userId: string,
  id: string,
) {
  if ((await ownNote(db, kind, userId, id)).removedAt) throw notFound()
  return selectEarlierNotes(db, kind, userId, id)
}

async function ownNote<Row extends NoteRow>(
  db: Db,
  kind: NoteKind<Row>,
  userId: string,
  id: string,
): Promise<Row> {
  const note = isUuid(id) ? await selectNote(db, kind, userId, id) : undefined
  if (!note) throw notFound()
  return note
}

/** The note written last wins. The other one goes into the history, if it is not empty and differs. */
async function writeNote<Row extends NoteRow>(
  tx: Db,
  kind: NoteKind<Row>,
  userId: string,
  before: Row,
  written: WrittenNote,
): Promise<Row> {
  if (before.eventId === written.eventId) return before
  const isNewer = isNewerVersion(written, before)
  const [winner, loser] = isNewer ? [written, before] : [before, written]
  const note = { userId, id: before.id }
  if (loser.note !== '' && loser.note !== winner.note) await insertEarlierNote(tx, kind, note, loser)
  if (!isNewer) return before
  await updateNote(tx, kind, note, written)
  return { ...before, ...written }
}

const writtenNote = (sent: SentNote, now: RealTime): WrittenNote => ({
  note: sent.note,
  ...versionOf(sent, now),
})

const countChange = ({ db, now }: NotesShop, userId: string): Promise<void> =>
  countOrRefuse(db, CHANGES, userId, now())

function refusePlace(
  { chapters }: ChapterOffsets,
  { chapter, seconds }: { chapter: number; seconds: number },
) {
  const length = chapters.get(chapter)?.seconds
  if (length === undefined) throw unprocessable('chapter', 'This chapter does not exist.')
  if (seconds < 0 || seconds > length + CHAPTER_SLACK_SECONDS)
    throw unprocessable('seconds', `This value should be between 0 and ${length}.`)
}

/** Highlights are not announced. Offline devices fetch the bookmarks when they reconnect. */
async function announce<Row extends NoteRow>(
  { db, log }: NotesShop,
  { name }: NoteKind<Row>,
  userId: string,
  slug: string,
  deviceId: string | null,
): Promise<void> {
  if (name === 'highlights') return
  const data = { type: 'bookmarks', audioBook: `/api/audio_books/${slug}`, deviceId } as const
  await publishTransient(db, [{ userId, data }]).catch((error: unknown) =>
    log.warn({ err: error }, 'a bookmark could not be announced'),
  )
}
