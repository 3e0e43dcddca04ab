import type { Book, BookCard } from '#contract/catalogue.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '../../hydra.ts'
import { forbidden, notFound } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import type { UntilChange } from '../../until-change.ts'
import { fileAddress, sampleAddress, soundAddress, zipAddress } from '../media/rules.ts'
import type { BookFilter, Format } from './filter.ts'
import {
  countBooks,
  selectBook,
  selectBookId,
  selectBooks,
  selectCards,
  selectRelatedIds,
  type BookRow,
  type CardRow,
} from './rows.ts'
import { bookCard, bookItem, type OwnersPart, type Viewer } from './views.ts'

/** A visitor has no `userId`. */
export interface Reader extends Viewer {
  readonly userId: string | null
}

interface Shelf {
  readonly rows: CardRow[]
  readonly total: number
}

/**
 * One page of a list, newest first.
 *
 * Made for 100,000 titles: how many books a filter finds is counted once until the catalogue changes, and with
 * the count known a page in the second half is reached from the end, so that no page skips more than half.
 */
export async function listBooks(
  { db, counts }: { db: Db; counts: UntilChange<number> },
  filter: BookFilter,
  { page, itemsPerPage }: PageOf,
  userId: string | null,
): Promise<Shelf> {
  const total = await counts.of(JSON.stringify(filter), () => countBooks(db, filter))
  const offset = (page - 1) * itemsPerPage
  const limit = Math.min(itemsPerPage, total - offset)
  if (limit <= 0) return { rows: [], total }
  const fromEnd = offset > total / 2
  const slice = fromEnd ? { offset: total - offset - limit, limit, fromEnd } : { offset, limit }
  return { rows: await selectBooks(db, filter, slice, userId), total }
}

/** More would be no recommendation; and ranking a tag that half the shop carries stays cheap to page through. */
const MOST_RELATED = 240

/** Books that share a tag with this one. Throws 404 for an unknown book. */
export async function listRelated(
  { db, related }: { db: Db; related: UntilChange<readonly number[]> },
  format: Format,
  slugOrId: string,
  { page, itemsPerPage }: PageOf,
  userId: string | null,
): Promise<Shelf> {
  const bookId = await selectBookId(db, format, slugOrId)
  if (bookId === undefined) throw notFound()
  const ids = await related.of(String(bookId), () => selectRelatedIds(db, format, bookId, MOST_RELATED))
  const onPage = ids.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  if (onPage.length === 0) return { rows: [], total: ids.length }
  const byId = new Map((await selectCards(db, onPage, userId)).map((row) => [row.id, row]))
  return { rows: onPage.flatMap((id) => byId.get(id) ?? []), total: ids.length }
}

/** One book as this reader may see it. Throws 404 for an unknown one, 403 for an embargoed one (BOOK-15). */
export async function seeBook(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  format: Format,
  slugOrId: string,
  reader: Reader,
): Promise<Book> {
  const row = await selectBook(shop.db, format, slugOrId, reader.userId)
  if (!row) throw notFound()
  if (row.embargoed && !row.in_library) throw forbidden()
  const owner = row.in_library ? reader.userId : null
  return bookItem(row, reader, sampleOf(row), owner === null ? null : ownersPart(shop, row, owner))
}

/** Cards by id, for whatever lists books beside the catalogue; books that are gone are left out. */
export async function cardsOf(
  db: Db,
  bookIds: readonly number[],
  reader: Reader,
): Promise<Map<number, BookCard>> {
  if (bookIds.length === 0) return new Map()
  const rows = await selectCards(db, bookIds, reader.userId)
  return new Map(rows.map((row) => [row.id, bookCard(row, reader)]))
}

function sampleOf(row: BookRow): string | null {
  if (!row.published || row.embargoed || row.sample_id === null || row.sample_extension === null) return null
  return sampleAddress(row.id, row.sample_id, row.sample_extension)
}

function ownersPart(shop: Pick<Shop, 'config' | 'now'>, row: BookRow, userId: string): OwnersPart {
  return {
    audioFiles: row.chapters.map((chapter) => ({
      url: soundAddress(shop, userId, chapter.sha256, chapter.extension),
      chapterTitle: chapter.title,
      chapterOrderNumber: chapter.number,
      playtime: chapter.durationMs / 1000,
      bytes: chapter.bytes,
      sha256: chapter.sha256,
    })),
    download: downloadOf(shop, row, userId),
  }
}

function downloadOf(shop: Pick<Shop, 'config' | 'now'>, row: BookRow, userId: string): string | null {
  if (!row.downloadable) return null
  if (row.format === 'audio_book') return row.chapters.length > 0 ? zipAddress(shop, userId, row.id) : null
  // What is made for its buyer is never the one file that everybody else has.
  return row.file_id !== null && !row.made_after_purchase ? fileAddress(shop, userId, row.id) : null
}
