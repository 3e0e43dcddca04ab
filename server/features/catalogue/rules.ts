import type { AudioBookCard, Book, BookCard } from '#contract/catalogue.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '../../wire/hydra.ts'
import { inBatchesOf } from '../../wire/in-batches.ts'
import { forbidden, notFound } from '../../wire/refusals.ts'
import type { Shop } from '../../shop.ts'
import { relatedTo } from '../editorial/link-rules.ts'
import { entitlementOf } from '../membership/rules.ts'
import { fileAddress, type Holder, sampleAddress, soundAddress, zipAddress } from '../media/rules.ts'
import type { BookFilter, Format } from './filter.ts'
import { memoryOf } from './memory.ts'
import {
  countBooks,
  selectBook,
  selectBookId,
  selectFeaturedIds,
  selectOwnedAmong,
  selectPage,
  selectRelatedIds,
  type BookRow,
  type Shown,
} from './rows.ts'
import { bookCard, bookItem, type OwnersPart, type Viewer } from './views.ts'
import type { Countries } from '../../guards/country.ts'

export { booksFitting } from './filter-rows.ts'
export { ids, type Narrowing } from './filter.ts'

/** A visitor has no `userId`. Without a session nobody is given a signed address. */
export interface Reader extends Viewer {
  readonly userId: string | null
  readonly sessionId?: string | undefined
}

/** For whom what is theirs is signed. */
export const holderOf = ({ userId, sessionId }: Reader): Holder | null =>
  userId !== null && sessionId !== undefined ? { userId, sessionId } : null

/** The reader: a visitor, or an account with what its credits allow. */
export async function readerOf(
  shop: Pick<Shop, 'db' | 'clock'>,
  { caller, countries }: { caller: { userId: string; sessionId?: string } | null; countries: Countries },
): Promise<Reader> {
  const userId = caller?.userId ?? null
  const { hasCredit } = await entitlementOf(shop.db, userId, shop.clock.now())
  return { userId, sessionId: caller?.sessionId, countries, hasCredit }
}

type Stock = Pick<Shop, 'db' | 'answers'>

interface Shelf {
  readonly cards: BookCard[]
  readonly total: number
}

/**
 * One page of a list, newest first, with what cannot be bought at its end.
 *
 * Made for 100,000 titles: how many books a filter finds, and which are on a page, is asked once until the
 * catalogue changes; and with the count known a page in the second half is reached from the end, so that no page
 * skips more than half.
 */
export async function listBooks(
  shop: Stock,
  filter: BookFilter,
  { page, itemsPerPage }: PageOf,
  reader: Reader,
): Promise<Shelf> {
  const { counts, pages } = memoryOf(shop.answers)
  const total = await counts.of(JSON.stringify(filter), () => countBooks(shop.db, filter))
  const offset = (page - 1) * itemsPerPage
  const limit = Math.min(itemsPerPage, total - offset)
  if (limit <= 0) return { cards: [], total }
  const slice =
    offset > total / 2 ? { offset: total - offset - limit, limit, fromEnd: true } : { offset, limit }
  const ids = await pages.of(JSON.stringify([filter, slice]), () => selectPage(shop.db, filter, slice))
  return { cards: await cardsOf(shop, ids, reader), total }
}

/** More would not be a recommendation, and a tag that half the shop carries stays cheap to rank. */
const MOST_RELATED = 240

/** Books that share a tag with this one. Throws 404 for an unknown book. */
export async function listRelated(
  shop: Stock,
  format: Format,
  slugOrId: string,
  { page, itemsPerPage }: PageOf,
  reader: Reader,
): Promise<Shelf> {
  const { db } = shop
  const bookId = await selectBookId(db, format, slugOrId)
  if (bookId === undefined) throw notFound()
  const ids = await memoryOf(shop.answers).related.of(String(bookId), () =>
    selectRelatedIds(db, format, bookId, MOST_RELATED),
  )
  const onPage = ids.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  return { cards: await cardsOf(shop, onPage, reader), total: ids.length }
}

/** Audiobooks of the home page in the owner's order, at most `limit`. */
export async function listFeatured(shop: Stock, limit: number, reader: Reader): Promise<Shelf> {
  const cards = await cardsOf(shop, await selectFeaturedIds(shop.db, limit), reader)
  return { cards, total: cards.length }
}

type BookOf<F extends Format> = Extract<Book, { entityType: { audio_book: 'audioBook'; e_book: 'eBook' }[F] }>
const isOf = <F extends Format>(book: Book, format: F): book is BookOf<F> =>
  book.entityType === (format === 'audio_book' ? 'audioBook' : 'eBook')

/** One book as this reader may see it. Throws 404 for an unknown one or a draft, 403 for an embargoed one (BOOK-15). */
export async function seeBook<F extends Format>(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  format: F,
  slugOrId: string,
  reader: Reader,
): Promise<BookOf<F>> {
  const row = await selectBook(shop.db, format, slugOrId, reader.userId)
  if (!row || (row.state === 'draft' && !row.in_library)) throw notFound()
  if (row.embargoed && !row.in_library) throw forbidden()
  const owner = row.in_library ? holderOf(reader) : null
  const related = await relatedTo(shop.db, row.id)
  const parts = owner === null ? null : ownersPart(shop, row, owner)
  const book: Book = bookItem(row, reader, sampleOf(row), parts, related, shop.config.demo)
  if (!isOf(book, format)) throw notFound()
  return book
}

/** Cards in the order of the ids, for whatever lists books beside the catalogue; books that are gone are left out. */
export async function cardsOf(shop: Stock, bookIds: readonly number[], reader: Reader): Promise<BookCard[]> {
  if (bookIds.length === 0) return []
  const { userId } = reader
  const [rows, owned] = await Promise.all([
    memoryOf(shop.answers).cards.of(shop.db, bookIds),
    userId === null ? undefined : ownedAmong(shop.db, { userId, bookIds }),
  ])
  return bookIds.flatMap((id) => {
    const row = rows.get(id)
    return row ? [bookCard(row, reader, owned?.has(id) ?? false)] : []
  })
}

export const isAudioCard = (card: BookCard): card is AudioBookCard => card.entityType === 'audioBook'

/** The audiobooks among them. */
export const audioCardsOf = async (
  shop: Stock,
  bookIds: readonly number[],
  reader: Reader,
): Promise<AudioBookCard[]> => (await cardsOf(shop, bookIds, reader)).filter(isAudioCard)

const ownedAmong = inBatchesOf<Db, Shown, Set<number>>(selectOwnedAmong, { most: 100, waitingAtMost: 10_000 })

function sampleOf(row: BookRow): string | null {
  if (!row.published || row.sellable === null) return null
  if (row.sample_id === null || row.sample_extension === null) return null
  return sampleAddress(row.id, row.sample_id, row.sample_extension)
}

function ownersPart(shop: Pick<Shop, 'config' | 'now'>, row: BookRow, owner: Holder): OwnersPart {
  return {
    audioFiles: row.chapters.map((chapter) => ({
      url: soundAddress(shop, owner, chapter.sha256, chapter.extension),
      chapterTitle: chapter.title,
      chapterOrderNumber: chapter.number,
      playtime: chapter.durationMs / 1000,
      bytes: chapter.bytes,
      sha256: chapter.sha256,
    })),
    download: downloadOf(shop, row, owner),
  }
}

function downloadOf(shop: Pick<Shop, 'config' | 'now'>, row: BookRow, owner: Holder): string | null {
  if (!row.downloadable) return null
  if (row.format === 'audio_book') return row.chapters.length > 0 ? zipAddress(shop, owner, row.id) : null
  // A file made for its buyer is never the shared one.
  return (row.made_after_purchase ? row.own_file_id : row.file_id) === null
    ? null
    : fileAddress(shop, owner, row.id)
}
