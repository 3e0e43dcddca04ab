import type { AudioBookCard, Book, BookCard } from '#contract/catalogue.ts'
import { describedCards } from '#contract/calculations/described-cards.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import { forbidden, notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { fileAddress, type AddressHolder, soundAddress, zipAddress } from '../media/signed-addresses.ts'
import type { BookFilter, Format } from '#contract/calculations/book-filter.ts'
import {
  ACCOUNT_CHANGED,
  bookCounts,
  bookPages,
  cardRowsOf,
  type KnownBook,
  knownBooks,
  pagesQueried,
  readerMarks,
  readerMarksOf,
  chosenByFinishers,
  relatedBooks,
  wholeLists,
} from './caches.ts'
import {
  countBooks,
  selectBook,
  selectBookId,
  selectFeaturedIds,
  selectList,
  selectOwnCopy,
  selectPage,
  selectRelatedIds,
  type BookRow,
  type OwnCopy,
  type LinkRow,
  selectLinksOf,
  selectCategories,
  selectNationalities,
  selectPublishers,
  selectTitled,
  selectCounterparts,
  selectSummaries,
} from './queries.ts'
import { selectChosenByFinishers } from './finisher-queries.ts'
import {
  categoryItem,
  locationItem,
  nationalityItem,
  publisherItem,
  styleItem,
  bookCard,
  bookItem,
  counterpart,
  type OwnersPart,
  type Viewer,
  type RelatedEditorial,
  linkView,
} from './serializers.ts'
import { type Countries, unsoldCountry } from '../../auth/country.ts'
import type { Db } from '../../db/open.ts'

export interface Reader extends Viewer {
  readonly userId: string | null
  readonly sessionId?: string | undefined
  /** Ids of the books in the library, possibly a moment old: use it to mark books, never to authorize access. */
  readonly owned: ReadonlySet<number>
}

export const holderOf = ({ userId, sessionId }: Reader): AddressHolder | null =>
  userId !== null && sessionId !== undefined ? { userId, sessionId } : null

export async function readerOf(
  shop: Pick<Shop, 'db' | 'clock' | 'caches' | 'config'>,
  { caller, countries }: { caller: { userId: string; sessionId?: string } | null; countries: Countries },
): Promise<Reader> {
  const sees = {
    countries,
    memberDiscount: shop.config.details.terms.memberDiscount,
    elsewhere: unsoldCountry(shop.config, countries) !== undefined,
  }
  if (caller === null) return { ...sees, userId: null, hasCredit: false, owned: NOTHING }
  const { owned, hasCredit } = await readerMarksOf(shop, caller.userId)
  return { ...sees, userId: caller.userId, sessionId: caller.sessionId, hasCredit, owned }
}
const NOTHING: ReadonlySet<number> = new Set()

/** Call after the account changed what it owns. */
export const forgetReader = (shop: Pick<Shop, 'caches'>, userId: string): void =>
  readerMarks(shop).forget(userId)

export function changedReaderOf(
  shop: Pick<Shop, 'db' | 'clock' | 'caches' | 'config'>,
  call: { caller: { userId: string; sessionId?: string }; countries: Countries },
): Promise<Reader> {
  forgetReader(shop, call.caller.userId)
  return readerOf(shop, call)
}

export function followReaders(shop: Pick<Shop, 'caches' | 'database' | 'log'>): void {
  const readers = readerMarks(shop)
  void shop.database
    .listen(
      ACCOUNT_CHANGED,
      (userId) => readers.forget(userId),
      () => readers.forgetAll(),
    )
    .catch((error: unknown) => shop.log.error({ err: error }, 'changes of libraries are not noticed'))
}

export const marksOn = (bookIds: readonly number[], { hasCredit, owned }: Reader): string =>
  `${hasCredit ? 'credit ' : ''}${bookIds.filter((id) => owned.has(id)).join(' ')}`

type Stock = Pick<Shop, 'db' | 'caches'>

export interface Shelf {
  readonly ids: readonly number[]
  readonly total: number
}

/**
 * Built for 100,000 titles: pages in the second half are selected from the end, so that no query skips more than half;
 * after `WALKED` pages of a list, all its ids are read once.
 */
export async function listBooks(
  shop: Stock,
  filter: BookFilter,
  { page, itemsPerPage }: PageOf,
): Promise<Shelf> {
  const key = JSON.stringify(filter)
  const total = await bookCounts(shop).of(key, () => countBooks(shop.db, filter))
  const offset = (page - 1) * itemsPerPage
  const limit = Math.min(itemsPerPage, total - offset)
  if (limit <= 0) return { ids: [], total }
  const slice =
    offset > total / 2 ? { offset: total - offset - limit, limit, fromEnd: true } : { offset, limit }
  const walk = await pagesQueried(shop).of(key, async () => ({ pages: 0 }))
  const all =
    walk.pages >= WALKED ? wholeLists(shop).atOnce(key, () => selectList(shop.db, filter)) : undefined
  if (all) return { ids: [...all.subarray(offset, offset + limit)], total }
  const ids = await bookPages(shop).of(JSON.stringify([filter, slice]), () => {
    walk.pages += 1
    return selectPage(shop.db, filter, slice)
  })
  return { ids, total }
}

/** A fourth page: the reader probably wants the whole list, so all ids are loaded in the background. */
const WALKED = 3

/** More would not be a recommendation. The limit also keeps it cheap to rank a tag that half of the books have. */
const MOST_RELATED = 240

/** @throws 404 for an unknown book */
export async function listRelated(
  shop: Stock,
  format: Format,
  slugOrId: string,
  { page, itemsPerPage }: PageOf,
): Promise<Shelf> {
  const { db } = shop
  const bookId = await selectBookId(db, format, slugOrId)
  if (bookId === undefined) throw notFound()
  const ids = await relatedBooks(shop).of(String(bookId), () =>
    selectRelatedIds(db, format, bookId, MOST_RELATED),
  )
  const onPage = ids.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  return { ids: onPage, total: ids.length }
}

const MOST_CHOSEN = 12

/** @throws 404 for an unknown book */
export async function listChosenByFinishers(shop: Stock, slugOrId: string): Promise<readonly number[]> {
  const bookId = await selectBookId(shop.db, 'audio_book', slugOrId)
  if (bookId === undefined) throw notFound()
  return chosenByFinishers(shop).of(String(bookId), () =>
    selectChosenByFinishers(shop.db, bookId, MOST_CHOSEN),
  )
}

export async function listFeatured(shop: Stock, limit: number): Promise<Shelf> {
  const ids = await bookPages(shop).of(`featured ${limit}`, () => selectFeaturedIds(shop.db, limit))
  return { ids, total: ids.length }
}

export type BookOf<F extends Format> = Extract<
  Book,
  { entityType: { audio_book: 'audioBook'; e_book: 'eBook' }[F] }
>
const isOf = <F extends Format>(book: Book, format: F): book is BookOf<F> =>
  book.entityType === (format === 'audio_book' ? 'audioBook' : 'eBook')

/** @throws 404 for an unknown book or a draft; 403 for an embargoed book (BOOK-15) */
export async function seeBook<F extends Format>(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'caches'>,
  format: F,
  slugOrId: string,
  reader: Reader,
): Promise<BookOf<F>> {
  return seeOwn(shop, format, slugOrId, reader, await ownCopy(shop, format, slugOrId, reader))
}

export async function seeOwn<F extends Format>(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'caches'>,
  format: F,
  slugOrId: string,
  reader: Reader,
  own: OwnCopy | undefined,
): Promise<BookOf<F>> {
  const { row, related: found } = await knownBook(shop, format, slugOrId)
  const related = shop.config.details.has('journal') ? found : NOTHING_RELATED
  if ((row.state === 'draft' || !shop.config.details.has(PART_OF[format])) && !own) throw notFound()
  if (row.embargoed && !own) throw forbidden()
  const holder = own ? holderOf(reader) : null
  const ownership = {
    inLibrary: own !== undefined,
    owned: holder && ownersPart(shop, row, holder, own?.own_file_id ?? null),
  }
  const book: Book = bookItem(row, reader, ownership, related, shop.config.demo)
  if (!isOf(book, format)) throw notFound()
  return book
}

const PART_OF = { audio_book: 'audiobooks', e_book: 'eBooks' } as const
const NOTHING_RELATED = { relatedArticles: [], relatedInterviews: [], relatedDiscussions: [] }

/** Undefined if nothing. Not cached, because it authorizes access to the audio. */
export async function ownCopy(
  shop: Stock,
  format: Format,
  slugOrId: string,
  { userId }: Reader,
): Promise<OwnCopy | undefined> {
  if (userId === null) return undefined
  const { row } = await knownBook(shop, format, slugOrId)
  return selectOwnCopy(shop.db, userId, row.id)
}

async function knownBook(shop: Stock, format: Format, slugOrId: string): Promise<KnownBook> {
  return knownBooks(shop).of(`${format} ${slugOrId}`, async () => {
    const row = await selectBook(shop.db, format, slugOrId)
    if (!row) throw notFound()
    return { row, related: await relatedTo(shop.db, row.id) }
  })
}

/** In the order of the ids. Deleted books are left out. */
export async function cardsOf(shop: Stock, bookIds: readonly number[], reader: Reader): Promise<BookCard[]> {
  const rows = await cardRowsOf(shop, bookIds)
  return rows.flatMap((row) => (row ? [bookCard(row, reader, reader.owned.has(row.id))] : []))
}

/** Cards with the first sentence of their description. */
export async function describedCardsOf(
  shop: Stock,
  bookIds: readonly number[],
  reader: Reader,
): Promise<BookCard[]> {
  const [cards, summaries] = await Promise.all([
    cardsOf(shop, bookIds, reader),
    selectSummaries(shop.db, bookIds),
  ])
  return describedCards(cards, (id) => summaries.get(id))
}

export async function lookupsOf({ db }: Pick<Shop, 'db'>) {
  const whole = { offset: 0, limit: MOST_LOOKUPS }
  return {
    styles: (await selectTitled(db, 'styles', whole)).map(styleItem),
    categories: (await selectCategories(db, whole)).map(categoryItem),
    locations: (await selectTitled(db, 'locations', whole)).map(locationItem),
    nationalities: (await selectNationalities(db, whole)).map(nationalityItem),
    publishers: (await selectPublishers(db, whole)).map(publisherItem),
  }
}
const MOST_LOOKUPS = 5_000

/** Adds its e-book to each audiobook that has one. */
export async function withEBooks({ db, config }: Pick<Shop, 'db' | 'config'>, cards: readonly BookCard[]) {
  const eBooks = await selectCounterparts(
    db,
    cards.filter(isAudioCard).map(({ id }) => id),
  )
  return cards.map((card) => {
    const eBook = isAudioCard(card) ? eBooks.get(card.id) : undefined
    return eBook ? { ...card, eBook: counterpart('e_books', eBook, config.details.terms) } : card
  })
}

export const isAudioCard = (card: BookCard): card is AudioBookCard => card.entityType === 'audioBook'

export const audioCardsOf = async (
  shop: Stock,
  bookIds: readonly number[],
  reader: Reader,
): Promise<AudioBookCard[]> => (await cardsOf(shop, bookIds, reader)).filter(isAudioCard)

function ownersPart(
  shop: Pick<Shop, 'config' | 'now'>,
  row: BookRow,
  owner: AddressHolder,
  ownFileId: string | null,
): OwnersPart {
  return {
    audioFiles: row.chapters.map((chapter) => ({
      url: soundAddress(shop, owner, chapter.sha256, chapter.extension),
      chapterTitle: chapter.title,
      chapterOrderNumber: chapter.number,
      playtime: chapter.durationMs / 1000,
      bytes: chapter.bytes,
      sha256: chapter.sha256,
    })),
    download: downloadOf(shop, row, owner, ownFileId),
  }
}

function downloadOf(
  shop: Pick<Shop, 'config' | 'now'>,
  row: BookRow,
  owner: AddressHolder,
  ownFileId: string | null,
): string | null {
  if (!row.downloadable) return null
  if (row.format === 'audio_book') return row.chapters.length > 0 ? zipAddress(shop, owner, row.id) : null
  // A file made for its buyer is never the shared file.
  return (row.made_after_purchase ? ownFileId : row.file_id) === null
    ? null
    : fileAddress(shop, owner, row.id)
}

/** For a book's page (BOOK-13, BOOK-26, BOOK-27). */
async function relatedTo(db: Db, bookId: number): Promise<RelatedEditorial> {
  const rows = await selectLinksOf(db, bookId)
  const of = (kind: LinkRow['kind']) => rows.filter((row) => row.kind === kind).map(linkView)
  return {
    relatedArticles: of('article'),
    relatedInterviews: of('interview'),
    relatedDiscussions: of('discussion'),
  }
}
