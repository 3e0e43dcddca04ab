import { randomUUID } from 'node:crypto'
import { CHAPTER_SLACK_SECONDS, PAGE_SIZE } from '#contract/limits.ts'
import type { Db } from '../../db/open.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { isUuid } from '../../http/schemas.ts'
import { notFound, outdated, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publishTransient } from '../feed/service.ts'
import { ownsBook } from '../library/queries.ts'
import { compareHeard, heardAtMs } from '../listening/place-order.ts'
import type { ChapterOffsets } from '../listening/timeline.ts'
import {
  type BookmarkRow,
  countBookmarks,
  insertBookmark,
  insertEarlierNote,
  lockBookmarks,
  markRemoved,
  selectBookmark,
  selectEarlierNotes,
  updateNote,
  type Written,
} from './queries.ts'

export type { Written }

/** For bookmarks and highlights together: more than a device collects offline on a long journey. */
const CHANGES: Limit = { name: 'marks of', most: 600, windowSeconds: 3600 }

/** @throws 429 if the account exceeds `CHANGES` */
export const countChange = ({ db, now }: Pick<Shop, 'db' | 'now'>, userId: string): Promise<void> =>
  countOrRefuse(db, CHANGES, userId, now())

export interface SentNote {
  readonly note: string
  readonly eventId?: string
  readonly deviceId?: string
  readonly sequence?: number
  readonly changedAt?: string
  readonly agoSeconds?: number
}

export interface SentBookmark extends SentNote {
  readonly id: string
  readonly chapter: number
  readonly seconds: number
}

/**
 * If the id exists, its note is updated, provided the sent note is newer.
 * @throws 404 for a book that is not in the library, 409 for a removed bookmark, 422 for an unknown position or too
 * many bookmarks
 */
export async function makeBookmark(
  shop: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  timeline: ChapterOffsets | null,
  { id, chapter, seconds, ...sent }: SentBookmark,
): Promise<{ bookmark: BookmarkRow; isNew: boolean }> {
  await countChange(shop, userId)
  const written = writtenNote(sent, shop.now())
  if (!timeline || !(await ownsBook(shop.db, userId, timeline.bookId))) throw notFound()
  refusePlace(timeline, { chapter, seconds })
  const made = await shop.db.transaction(async (tx) => {
    await lockBookmarks(tx, userId)
    const before = await selectBookmark(tx, userId, id)
    if (before?.removedAt) throw outdated('This bookmark was removed.')
    if (before) return { bookmark: await writeNote(tx, userId, before, written), isNew: false }
    if ((await countBookmarks(tx, userId)) >= PAGE_SIZE.bookmarks)
      throw unprocessable('', `You have ${PAGE_SIZE.bookmarks} bookmarks. Remove one to add another.`)
    const { bookId, slug } = timeline
    const place = { id, bookId, chapter, seconds, madeAt: written.changedAt }
    await insertBookmark(tx, { userId, ...place, ...written })
    return { bookmark: { ...place, ...written, slug, removedAt: null }, isNew: true }
  })
  await sayChanged(shop, userId, made.bookmark.slug, written.deviceId)
  return made
}

/** @throws 404 if the bookmark is not the caller's or was removed */
export async function changeBookmark(
  shop: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  id: string,
  sent: SentNote,
): Promise<BookmarkRow> {
  await countChange(shop, userId)
  const written = writtenNote(sent, shop.now())
  const changed = await shop.db.transaction(async (tx) => {
    await lockBookmarks(tx, userId)
    const before = await ownBookmark(tx, userId, id)
    if (before.removedAt) throw notFound()
    return writeNote(tx, userId, before, written)
  })
  await sayChanged(shop, userId, changed.slug, written.deviceId)
  return changed
}

/**
 * A removal wins over every note. A repeat changes nothing.
 * @throws 404 if the bookmark is not the caller's
 */
export async function removeBookmark(
  shop: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  id: string,
  deviceId: string | undefined,
): Promise<void> {
  const { slug, isRepeat } = await shop.db.transaction(async (tx) => {
    await lockBookmarks(tx, userId)
    const before = await ownBookmark(tx, userId, id)
    if (!before.removedAt) await markRemoved(tx, userId, id, shop.now())
    return { slug: before.slug, isRepeat: before.removedAt !== null }
  })
  if (!isRepeat) await sayChanged(shop, userId, slug, deviceId ?? null)
}

/** @throws 404 if the bookmark is not the caller's or was removed */
export async function earlierNotes({ db }: Pick<Shop, 'db'>, userId: string, id: string) {
  if ((await ownBookmark(db, userId, id)).removedAt) throw notFound()
  return selectEarlierNotes(db, userId, id)
}

async function ownBookmark(db: Db, userId: string, id: string): Promise<BookmarkRow> {
  const bookmark = isUuid(id) ? await selectBookmark(db, userId, id) : undefined
  if (!bookmark) throw notFound()
  return bookmark
}

/** The note written last wins. The other one goes into the history, if it is not empty and differs. */
async function writeNote(
  tx: Db,
  userId: string,
  before: BookmarkRow,
  written: Written,
): Promise<BookmarkRow> {
  const { holds, isNewer, gives } = weighNotes(before, written)
  if (gives) await insertEarlierNote(tx, { userId, bookmarkId: before.id, ...gives })
  if (!isNewer) return before
  await updateNote(tx, userId, before.id, holds)
  return { ...before, ...holds }
}

/** `holds` is the note written last, `gives` the other one, or undefined if it is empty or has the same text. */
export function weighNotes(
  before: Written,
  written: Written,
): { holds: Written; isNewer: boolean; gives: Written | undefined } {
  // The same event, sent again.
  if (before.eventId === written.eventId) return { holds: before, isNewer: false, gives: undefined }
  const isNewer = compareHeard(orderOf(written), orderOf(before)) > 0
  const [holds, loses] = isNewer ? [written, before] : [before, written]
  const { note, changedAt, eventId, deviceId, sequence } = loses
  const says = note !== '' && note !== holds.note
  return { holds, isNewer, gives: says ? { note, changedAt, eventId, deviceId, sequence } : undefined }
}

const orderOf = ({ changedAt, eventId, deviceId, sequence }: Written) => ({
  heardAtMs: changedAt.getTime(),
  eventId: eventId ?? '',
  deviceId,
  sequence,
})

/** Converts a sent note; its time is converted to the server's clock. */
export const writtenNote = (sent: SentNote, now: Date): Written => ({
  note: sent.note,
  changedAt: new Date(
    heardAtMs(
      {
        ...(sent.changedAt === undefined ? {} : { heardAt: sent.changedAt }),
        ...(sent.agoSeconds === undefined ? {} : { agoSeconds: sent.agoSeconds }),
      },
      now.getTime(),
    ),
  ),
  eventId: sent.eventId?.toLowerCase() ?? randomUUID(),
  deviceId: sent.deviceId?.toLowerCase() ?? null,
  sequence: sent.sequence ?? 0,
})

function refusePlace(
  { chapters }: ChapterOffsets,
  { chapter, seconds }: { chapter: number; seconds: number },
) {
  const length = chapters.get(chapter)?.seconds
  if (length === undefined) throw unprocessable('chapter', 'This chapter does not exist.')
  if (seconds < 0 || seconds > length + CHAPTER_SLACK_SECONDS)
    throw unprocessable('seconds', `This value should be between 0 and ${length}.`)
}

/** Tells connected devices to fetch the book's bookmarks again. Offline devices fetch them when they reconnect. */
const sayChanged = (
  { db, log }: Pick<Shop, 'db' | 'log'>,
  userId: string,
  slug: string,
  deviceId: string | null,
): Promise<void> =>
  publishTransient(db, [
    { userId, data: { type: 'bookmarks', audioBook: `/api/audio_books/${slug}`, deviceId } },
  ]).catch((error: unknown) => log.warn({ err: error }, 'a bookmark could not be announced'))
