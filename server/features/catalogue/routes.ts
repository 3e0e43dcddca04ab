import type { AudioBookCard, BookCard, EBookCard } from '#contract/catalogue.ts'
import {
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
} from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { Caller } from '../../guards/caller.ts'
import { hydraList, pageOf } from '../../wire/hydra.ts'
import { notFound } from '../../wire/refusals.ts'
import { serve, type ApiServer } from '../../wire/serve.ts'
import { filterOf, ids, type BookFilter, type Format } from './filter.ts'
import { registerLookups } from './lookup-routes.ts'
import { selectPublisher } from './lookup-rows.ts'
import { listBooks, listFeatured, listRelated, readerOf, seeBook, type Reader } from './rules.ts'
import type { Countries } from '../../guards/country.ts'

interface ListCall {
  readonly query: Parameters<typeof pageOf>[0]
  readonly url: string
  readonly caller: Caller | null
  readonly countries: Countries
}

type Shelf = { cards: BookCard[]; total: number }
/** The reader is looked up only if somebody is logged in: a visitor's list costs no extra statement. */
type Listing = (page: Paging, reader: Reader) => Promise<Shelf>

export function registerCatalogue(server: ApiServer): void {
  const { shop } = server
  const { db } = shop

  // The answer has the format that was asked for, which the type of a mixed shelf cannot express.
  const audioBooks = (call: ListCall, listing: Listing) => shelf<AudioBookCard>('AudioBook', call, listing)
  const eBooks = (call: ListCall, listing: Listing) => shelf<EBookCard>('EBook', call, listing)

  async function shelf<C extends BookCard>(type: string, call: ListCall, listing: Listing) {
    const page = pageOf(call.query, PAGE_SIZE.collection)
    const { cards, total } = await listing(page, await readerOf(shop, call))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
    return hydraList({ type, url: call.url, members: cards as C[], total, ...page })
  }

  const filtered =
    (filter: BookFilter): Listing =>
    (page, reader) =>
      listBooks(shop, filter, page, reader)
  const relatedTo =
    (format: Format, slug: string): Listing =>
    (page, reader) =>
      listRelated(shop, format, slug, page, reader)

  serve(server, listAudioBooks, (call) => audioBooks(call, filtered(filterOf('audio_book', call.query))))
  serve(server, listEBooks, (call) => eBooks(call, filtered(filterOf('e_book', call.query))))
  serve(server, listSecondEditions, (call) =>
    audioBooks(call, filtered({ ...audio(call.query), secondEdition: true })),
  )
  serve(server, listLatestAudioBooks, (call) =>
    audioBooks(call, filtered({ ...audio(call.query), recommendable: true })),
  )
  serve(server, listRelatedAudioBooks, (call) => audioBooks(call, relatedTo('audio_book', call.params.slug)))
  serve(server, listRelatedEBooks, (call) => eBooks(call, relatedTo('e_book', call.params.slug)))
  serve(server, listFeaturedAudioBooks, (call) =>
    audioBooks({ ...call, query: { itemsPerPage: PAGE_SIZE.lookups } }, ({ itemsPerPage }, reader) =>
      listFeatured(shop, itemsPerPage, reader),
    ),
  )

  serve(
    server,
    getAudioBook,
    async ({ params, ...call }) => await seeBook(shop, 'audio_book', params.slug, await readerOf(shop, call)),
  )
  serve(
    server,
    getEBook,
    async ({ params, ...call }) => await seeBook(shop, 'e_book', params.slug, await readerOf(shop, call)),
  )

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
