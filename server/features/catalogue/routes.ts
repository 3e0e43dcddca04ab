import * as contract from '#contract/catalogue.ts'
import {
  type AudioBookCard,
  type BookCard,
  type BookQuery,
  type EBookCard,
  getAudioBook,
  getEBook,
  listAudioBooks,
  listEBooks,
  listFeaturedAudioBooks,
  listLatestAudioBooks,
  listPublisherAudioBooks,
  listRelatedAudioBooks,
  listRelatedEBooks,
  listSecondEditions,
  listSuggestedAudioBooks,
} from '#contract/catalogue.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { isListOfPerson } from '#contract/calculations/described-cards.ts'
import { hydraList, pageOf, type PageOf, wholeList } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer, type Call, type Serialised } from '../../http/serve.ts'
import { filterOf, ids, type BookFilter, type Format } from '#contract/calculations/book-filter.ts'
import {
  selectPublisher,
  countRows,
  selectCategories,
  selectNationalities,
  selectBooksOfPublishers,
  selectPublishers,
  selectTitled,
} from './queries.ts'
import {
  audioCardsOf,
  type BookOf,
  cardsOf,
  describedCardsOf,
  followReaders,
  listBooks,
  listChosenByFinishers,
  listFeatured,
  listRelated,
  marksOn,
  ownCopy,
  readerOf,
  seeOwn,
  type Shelf,
} from './service.ts'
import { selectSuggestions } from '../membership/suggestion-queries.ts'
import { categoryItem, locationItem, nationalityItem, publisherItem, styleItem } from './serializers.ts'

type ReadersCall = Pick<Call<Endpoint>, 'caller' | 'countries' | 'sameFor'>
interface ListCall extends ReadersCall {
  readonly query: Parameters<typeof pageOf>[0] & Pick<BookQuery, 'authors[]' | 'narrators[]'>
  readonly url: string
}
interface BookCall extends ReadersCall {
  readonly params: { readonly slug: string }
}

type Listing = (page: Paging) => Promise<Shelf>

export function registerCatalogue(server: ApiServer): void {
  const { shop } = server
  const { db } = shop
  followReaders(shop)

  // Each route lists one format only; the type of `cardsOf` cannot express that.
  const audioBooks = (call: ListCall, listing: Listing) => shelf<AudioBookCard>('AudioBook', call, listing)
  const eBooks = (call: ListCall, listing: Listing) => shelf<EBookCard>('EBook', call, listing)

  async function shelf<C extends BookCard>(type: string, call: ListCall, listing: Listing) {
    const page = pageOf(call.query, PAGE_SIZE.collection)
    const [{ ids, total }, reader] = await Promise.all([listing(page), readerOf(shop, call)])
    return call.sameFor(marksOn(ids, reader), async () => {
      const cards = isListOfPerson(call.query)
        ? await describedCardsOf(shop, ids, reader)
        : await cardsOf(shop, ids, reader)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
      return hydraList({ type, url: call.url, members: cards as C[], total, ...page })
    })
  }

  async function book<F extends Format>(
    format: F,
    { params: { slug }, ...call }: BookCall,
  ): Promise<BookOf<F> | Serialised> {
    const reader = await readerOf(shop, call)
    const own = await ownCopy(shop, format, slug, reader)
    const seen = () => seeOwn(shop, format, slug, reader, own)
    // The owner's response has addresses signed for one session, so it must not be shared.
    return own ? seen() : call.sameFor(marksOn([], reader), seen)
  }

  const filtered =
    (filter: BookFilter): Listing =>
    (page) =>
      listBooks(shop, filter, page)
  const relatedTo =
    (format: Format, slug: string): Listing =>
    (page) =>
      listRelated(shop, format, slug, page)

  serve(server, listAudioBooks, (call) => {
    // The holder of a card can see its title, even if the shop no longer sells audiobooks.
    if (call.query.spiSIN === undefined && !shop.config.details.has('audiobooks')) throw notFound()
    return audioBooks(call, filtered(filterOf('audio_book', call.query)))
  })
  serve(server, listEBooks, (call) => eBooks(call, filtered(filterOf('e_book', call.query))))
  serve(server, listSecondEditions, (call) =>
    audioBooks(call, filtered({ ...audio(call.query), secondEdition: true })),
  )
  serve(server, listSuggestedAudioBooks, async (call) => {
    const [suggestions, reader] = await Promise.all([
      selectSuggestions(db, call.caller.userId),
      readerOf(shop, call),
    ])
    const cards = await audioCardsOf(
      shop,
      suggestions.map(({ bookId }) => bookId),
      reader,
    )
    const sharedBy = new Map(suggestions.map(({ bookId, shared }) => [bookId, shared]))
    const members = cards.map((book) => ({ book, shared: sharedBy.get(book.id) ?? null }))
    return wholeList('SuggestedAudioBook', call.url, members)
  })
  serve(server, listLatestAudioBooks, (call) =>
    audioBooks(call, filtered({ ...audio(call.query), recommendable: true })),
  )
  serve(server, contract.listChosenByFinishers, async (call) => {
    const [ids, reader] = await Promise.all([
      listChosenByFinishers(shop, call.params.slug),
      readerOf(shop, call),
    ])
    return wholeList('AudioBook', call.url, await audioCardsOf(shop, ids, reader))
  })
  serve(server, listRelatedAudioBooks, (call) => audioBooks(call, relatedTo('audio_book', call.params.slug)))
  serve(server, listRelatedEBooks, (call) => eBooks(call, relatedTo('e_book', call.params.slug)))
  serve(server, listFeaturedAudioBooks, (call) =>
    audioBooks({ ...call, query: { itemsPerPage: PAGE_SIZE.lookups } }, ({ itemsPerPage }) =>
      listFeatured(shop, itemsPerPage),
    ),
  )

  serve(server, getAudioBook, (call) => book('audio_book', call))
  serve(server, getEBook, (call) => book('e_book', call))

  serve(server, listPublisherAudioBooks, async (call) => {
    const publisher = await selectPublisher(db, call.params.slug)
    if (!publisher) throw notFound()
    return audioBooks(call, filtered({ format: 'audio_book', publishers: [publisher.id] }))
  })
  registerLookups(server)
}

const audio = (query: { 'styles[]'?: number[] }): BookFilter => ({
  format: 'audio_book',
  ...ids('styles', query['styles[]']),
})

type Paging = ReturnType<typeof pageOf>

interface LookupCall {
  readonly query: Parameters<typeof pageOf>[0]
  readonly url: string
}

function registerLookups(server: ApiServer): void {
  const { db } = server.shop

  const list =
    <Row, Item>(
      type: string,
      table: Parameters<typeof countRows>[1],
      rowsOf: (slice: { offset: number; limit: number }) => Promise<Row[]>,
      view: (row: Row) => Item,
      usual = 30,
    ) =>
    async ({ query, url }: LookupCall) => {
      const page = pageOf(query, usual)
      const [rows, total] = await Promise.all([rowsOf(sliceOf(page)), countRows(db, table)])
      return hydraList({ type, url, members: rows.map(view), total, ...page })
    }

  serve(
    server,
    contract.listStyles,
    list('Style', 'styles', (slice) => selectTitled(db, 'styles', slice), styleItem),
  )
  serve(
    server,
    contract.listLocations,
    list('Location', 'locations', (slice) => selectTitled(db, 'locations', slice), locationItem),
  )
  serve(
    server,
    contract.listCategories,
    list('Category', 'categories', (slice) => selectCategories(db, slice), categoryItem),
  )
  serve(
    server,
    contract.listNationalities,
    list('Nationality', 'nationalities', (slice) => selectNationalities(db, slice), nationalityItem),
  )
  const publishers = list(
    'Publisher',
    'publishers',
    (slice) => selectPublishers(db, slice),
    publisherItem,
    PAGE_SIZE.publishers,
  )
  serve(server, contract.listPublishers, async (call) => {
    const page = await publishers(call)
    if (!call.query.withBooks) return page
    const { shop } = server
    const members = page['hydra:member']
    const format = shop.config.details.has('audiobooks') ? 'audio_book' : 'e_book'
    const [rows, reader] = await Promise.all([
      selectBooksOfPublishers(
        db,
        members.map(({ id }) => id),
        format,
      ),
      readerOf(shop, call),
    ])
    const bookIds = rows.flatMap((row) => row.book_ids)
    return call.sameFor(marksOn(bookIds, reader), async () => {
      const cards = await cardsOf(shop, bookIds, reader)
      return {
        ...page,
        'hydra:member': members.map((publisher) => {
          const { titles = 0, book_ids: theirs = [] } = rows.find(({ id }) => id === publisher.id) ?? {}
          return { ...publisher, titles, newest: cards.filter(({ id }) => theirs.includes(id)) }
        }),
      }
    })
  })
  serve(server, contract.getPublisher, async ({ params }) => {
    const row = await selectPublisher(db, params.slug)
    if (!row) throw notFound()
    return { '@context': '/api/contexts/Publisher', ...publisherItem(row) }
  })
}

const sliceOf = ({ page, itemsPerPage }: PageOf) => ({
  offset: (page - 1) * itemsPerPage,
  limit: itemsPerPage,
})
