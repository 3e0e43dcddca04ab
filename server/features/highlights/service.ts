import { PAGE_SIZE } from '#contract/limits.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { notFound, outdated, unprocessable } from '../../http/http-errors.ts'
import { isUuid } from '../../http/schemas.ts'
import { countChange, type SentNote, weighNotes, type Written, writtenNote } from '../bookmarks/service.ts'
import { ownsBook } from '../library/queries.ts'
import {
  countHighlights,
  type HighlightRow,
  insertEarlierNote,
  insertHighlight,
  lockHighlights,
  markRemoved,
  selectEarlierNotes,
  selectEBookId,
  selectHighlight,
  updateNote,
} from './queries.ts'

export interface SentHighlight extends SentNote {
  readonly id: string
  readonly locator: string
  readonly share: number
  readonly quote: string
  readonly chapter: string
}

/**
 * If the id exists, its note is updated, provided the sent note is newer.
 * @throws 404 for an e-book that is not in the library, 409 for a removed highlight, 422 for too many highlights
 */
export async function makeHighlight(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  userId: string,
  slug: string,
  { id, locator, share, quote, chapter, ...sent }: SentHighlight,
): Promise<{ highlight: HighlightRow; isNew: boolean }> {
  await countChange({ db, now }, userId)
  const written = writtenNote(sent, now())
  const bookId = await selectEBookId(db, slug)
  if (bookId === undefined || !(await ownsBook(db, userId, bookId))) throw notFound()
  return db.transaction(async (tx) => {
    await lockHighlights(tx, userId)
    const before = await selectHighlight(tx, userId, id)
    if (before?.removedAt) throw outdated('This highlight was removed.')
    if (before) return { highlight: await writeNote(tx, userId, before, written), isNew: false }
    if ((await countHighlights(tx, userId)) >= PAGE_SIZE.bookmarks)
      throw unprocessable('', `You have ${PAGE_SIZE.bookmarks} highlights. Remove one to add another.`)
    const words = { id, bookId, locator, share, quote, chapter, madeAt: written.changedAt }
    await insertHighlight(tx, { userId, ...words, ...written })
    return { highlight: { ...words, ...written, slug, removedAt: null }, isNew: true }
  })
}

/** @throws 404 if the highlight is not the caller's or was removed */
export async function changeHighlight(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  userId: string,
  id: string,
  sent: SentNote,
): Promise<HighlightRow> {
  await countChange({ db, now }, userId)
  const written = writtenNote(sent, now())
  return db.transaction(async (tx) => {
    await lockHighlights(tx, userId)
    const before = await ownHighlight(tx, userId, id)
    if (before.removedAt) throw notFound()
    return writeNote(tx, userId, before, written)
  })
}

/**
 * A removal wins over every note. A repeat changes nothing.
 * @throws 404 if the highlight is not the caller's
 */
export async function removeHighlight(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  userId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockHighlights(tx, userId)
    const before = await ownHighlight(tx, userId, id)
    if (!before.removedAt) await markRemoved(tx, userId, id, now())
  })
}

/** @throws 404 if the highlight is not the caller's or was removed */
export async function earlierNotes({ db }: Pick<Shop, 'db'>, userId: string, id: string) {
  if ((await ownHighlight(db, userId, id)).removedAt) throw notFound()
  return selectEarlierNotes(db, userId, id)
}

async function ownHighlight(db: Db, userId: string, id: string): Promise<HighlightRow> {
  const highlight = isUuid(id) ? await selectHighlight(db, userId, id) : undefined
  if (!highlight) throw notFound()
  return highlight
}

async function writeNote(
  tx: Db,
  userId: string,
  before: HighlightRow,
  written: Written,
): Promise<HighlightRow> {
  const { holds, isNewer, gives } = weighNotes(before, written)
  if (gives) await insertEarlierNote(tx, { userId, highlightId: before.id, ...gives })
  if (!isNewer) return before
  await updateNote(tx, userId, before.id, holds)
  return { ...before, ...holds }
}
