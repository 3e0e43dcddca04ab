import type { AudioBookCard, BookQuery, EBookCard } from '#contract/catalogue.ts'
import type { IndexedBook } from '#contract/catalogue-index.ts'
import { type BookFilter, filterOf, ids, type Narrowing } from '#contract/calculations/book-filter.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { describedCards, isListOfPerson } from '#contract/calculations/described-cards.ts'
import { bookOf, cardOf, type Catalogue } from '#contract/calculations/indexed-catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { Answers } from './answer.ts'

type Paging = Parameters<typeof pageOf>[0]
interface Listing {
  readonly catalogue: Catalogue
  readonly query: Paging & Pick<BookQuery, 'authors[]' | 'narrators[]'>
  readonly url: string
}

export const BOOK_ANSWERS: Answers<
  | 'GET /api/audio_books'
  | 'GET /api/e_books'
  | 'GET /api/audio_books/second_editions'
  | 'GET /api/audio_books/latest'
  | 'GET /api/home_panels_featured_audio_books'
  | 'GET /api/audio_books/{slug}'
  | 'GET /api/e_books/{slug}'
  | 'GET /api/audio_books/{slug}/tag_related'
  | 'GET /api/e_books/{slug}/tag_related'
  | 'GET /api/publishers/{slug}/audio_books'
> = {
  'GET /api/audio_books': (asked) =>
    asked.catalogue.audiobooks
      ? audioBooks(asked, listed(asked.catalogue, 'audio_book', asked.query))
      : undefined,
  'GET /api/e_books': (asked) =>
    asked.catalogue.eBooks ? eBooks(asked, listed(asked.catalogue, 'e_book', asked.query)) : undefined,
  'GET /api/audio_books/second_editions': (asked) => narrowedAudio(asked, { secondEdition: true }),
  'GET /api/audio_books/latest': (asked) => narrowedAudio(asked, { recommendable: true }),
  'GET /api/home_panels_featured_audio_books': ({ catalogue, url }) =>
    audioBooks(
      { catalogue, url, query: { itemsPerPage: PAGE_SIZE.lookups } },
      fittingBooks(catalogue, { format: 'audio_book', recommendable: true })
        .filter(({ featured }) => featured !== undefined)
        .sort((one, other) => one.featured! - other.featured! || one.id - other.id),
    ),
  'GET /api/audio_books/{slug}': ({ catalogue, params }) => {
    const book = named(catalogue, 'audio_book', params.slug)
    const full = book && bookOf(catalogue, book)
    return full?.entityType === 'audioBook' ? full : undefined
  },
  'GET /api/e_books/{slug}': ({ catalogue, params }) => {
    const book = named(catalogue, 'e_book', params.slug)
    const full = book && bookOf(catalogue, book)
    return full?.entityType === 'eBook' ? full : undefined
  },
  'GET /api/audio_books/{slug}/tag_related': (asked) => {
    const book = named(asked.catalogue, 'audio_book', asked.params.slug)
    return book && audioBooks(asked, relatedTo(asked.catalogue, book))
  },
  'GET /api/e_books/{slug}/tag_related': (asked) => {
    const book = named(asked.catalogue, 'e_book', asked.params.slug)
    return book && eBooks(asked, relatedTo(asked.catalogue, book))
  },
  'GET /api/publishers/{slug}/audio_books': (asked) => {
    const publisher = asked.catalogue.publishers.find(
      ({ slug, id }) => slug === asked.params.slug || String(id) === asked.params.slug,
    )
    return (
      publisher &&
      audioBooks(asked, fittingBooks(asked.catalogue, { format: 'audio_book', publishers: [publisher.id] }))
    )
  },
}

const audioBooks = (listing: Listing, books: readonly IndexedBook[] | undefined) =>
  books && pageOfCards<AudioBookCard>('AudioBook', listing, books)
const eBooks = (listing: Listing, books: readonly IndexedBook[] | undefined) =>
  books && pageOfCards<EBookCard>('EBook', listing, books)

function pageOfCards<C>(type: string, { catalogue, query, url }: Listing, books: readonly IndexedBook[]) {
  const page = pageOf(query, PAGE_SIZE.collection)
  const from = (page.page - 1) * page.itemsPerPage
  const shown = books.slice(from, from + page.itemsPerPage)
  const plain = shown.map((book) => cardOf(catalogue, book))
  const summaries = new Map(shown.map(({ id, summary }) => [id, summary]))
  const cards = isListOfPerson(query) ? describedCards(plain, (id) => summaries.get(id)) : plain
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
  return hydraList({ type, url, members: cards as C[], total: books.length, ...page })
}

/** An ISBN filter that finds nothing is unanswerable: a gift card may name an unlisted title, which the index lacks. */
function listed(catalogue: Catalogue, format: BookFilter['format'], query: BookQuery) {
  const found = fittingBooks(catalogue, filterOf(format, query))
  return query.spiSIN !== undefined && found.length === 0 ? undefined : found
}

const narrowedAudio = (
  asked: Listing & { readonly query: { readonly 'styles[]'?: number[] } },
  narrowing: Narrowing,
) =>
  audioBooks(
    asked,
    fittingBooks(asked.catalogue, {
      format: 'audio_book',
      ...ids('styles', asked.query['styles[]']),
      ...narrowing,
    }),
  )

function named({ books }: Catalogue, format: BookFilter['format'], slugOrId: string) {
  const ofFormat = books.filter((book) => formatOf(book) === format)
  return ofFormat.find(({ slug }) => slug === slugOrId) ?? ofFormat.find(({ id }) => String(id) === slugOrId)
}

const formatOf = ({ eBook }: IndexedBook) => (eBook ? 'e_book' : 'audio_book')

/** List order: titles on sale first, within each group by the month's order, then newest first. */
const fittingBooks = (catalogue: Catalogue, { format, ...narrowing }: BookFilter): IndexedBook[] => {
  const fits = fitting(catalogue, narrowing)
  const found = catalogue.books.filter((book) => formatOf(book) === format && fits(book))
  const place = narrowing.secondEdition ? 'highlightPlace' : narrowing.edition ? 'editionPlace' : undefined
  // Stable, so that titles without a place stay newest first.
  if (place) found.sort((one, other) => (one[place] ?? Infinity) - (other[place] ?? Infinity) || 0)
  return [...found.filter(({ unsold }) => !unsold), ...found.filter(({ unsold }) => unsold)]
}

/** Same conditions as `booksFitting` in the server's queries. */
export function fitting(catalogue: Catalogue, filter: Narrowing): (book: IndexedBook) => boolean {
  const conditions: ((book: IndexedBook) => boolean)[] = []
  const among = (wanted: readonly number[] | undefined, of: (book: IndexedBook) => readonly number[]) => {
    if (wanted) conditions.push((book) => of(book).some((id) => wanted.includes(id)))
  }
  const is = (wanted: boolean | undefined, of: (book: IndexedBook) => boolean | undefined) => {
    if (wanted !== undefined) conditions.push((book) => (of(book) ?? false) === wanted)
  }
  among(filter.styles, ({ style }) => some(style))
  among(filter.categories, ({ category }) => some(category))
  among(filter.publishers, ({ publisher }) => some(publisher))
  among(filter.locations, ({ locations }) => locations ?? [])
  among(filter.nationalities, ({ authors }) =>
    (authors ?? []).flatMap((id) => some(catalogue.personBy.get(id)?.nationality)),
  )
  among(filter.series, ({ series }) => (series ?? []).map(({ id }) => id))
  among(filter.authors, ({ authors }) => authors ?? [])
  among(filter.narrators, ({ narrators }) => narrators ?? [])
  const { minMinutes, belowMinutes, minPages, spiSin } = filter
  if (minMinutes !== undefined)
    conditions.push(({ minutes }) => minutes !== undefined && minutes >= minMinutes)
  if (belowMinutes !== undefined)
    conditions.push(({ minutes }) => minutes !== undefined && minutes < belowMinutes)
  if (minPages !== undefined) conditions.push(({ pages }) => pages !== undefined && pages >= minPages)
  if (spiSin !== undefined) conditions.push(({ spiSIN }) => spiSIN === spiSin)
  is(filter.availableAsCard, ({ asCard }) => asCard)
  is(filter.edition, ({ edition }) => edition)
  is(filter.memoir, ({ memoir }) => memoir)
  is(filter.inStep, ({ inStep }) => inStep)
  is(filter.writersDilemma, ({ writersDilemma }) => writersDilemma)
  if (filter.secondEdition) conditions.push(({ highlighted }) => highlighted === true)
  if (filter.recommendable) conditions.push(({ unsold }) => !unsold)
  return (book) => conditions.every((condition) => condition(book))
}

const some = (id: number | undefined): readonly number[] => (id === undefined ? [] : [id])

/** Same limit as in server/features/catalogue/service.ts. */
const MOST_RELATED = 240

/** Titles on sale that share a tag: most shared tags first, then newest. */
function relatedTo(catalogue: Catalogue, book: IndexedBook): IndexedBook[] {
  const own = new Set(book.tags)
  return catalogue.books
    .filter((other) => other.id !== book.id && formatOf(other) === formatOf(book) && !other.unsold)
    .map((other) => ({ other, shared: (other.tags ?? []).filter((tag) => own.has(tag)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, two) => two.shared - one.shared)
    .slice(0, MOST_RELATED)
    .map(({ other }) => other)
}
