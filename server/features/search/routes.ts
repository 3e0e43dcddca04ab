import type { FastifyRequest } from 'fastify'
import { searchFilterOf } from '#contract/calculations/book-filter.ts'
import { EDITORIAL_PAGE, listMurmurations } from '#contract/editorial.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { QUICK_RESULTS, quickResults, searchBooks, searches } from '#contract/search.ts'
import { addressKey, isExempt, RequestBrake } from '../../rate-limiting/rate-limit.ts'
import { visitorAddress } from '../../auth/in-process.ts'
import { seriesSummary } from '#contract/calculations/series-item.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer, type Call } from '../../http/serve.ts'
import { cardsOf, marksOn, readerOf, withEBooks } from '../catalogue/service.ts'
import type { Order } from '../editorial/queries.ts'
import { murmurationView } from '../editorial/serializers.ts'
import { listItems, murmurationsOf } from '../editorial/service.ts'
import { excerptsFor, findBooks, findBoth, findItems, seriesNamed } from './service.ts'

const FOUND_PAGE = 12
/** Two per second for a whole minute: faster than anyone types. Responses from the cache do not count. */
const SEARCHES = { most: 120, windowSeconds: 60 }

export function registerSearch(server: ApiServer): void {
  const { shop } = server

  serve(server, listMurmurations, async ({ query, url }) => {
    const page = pageOf(query, EDITORIAL_PAGE)
    const filter = {
      ...(query['search[]'] ? { kinds: query['search[]'].map((kind) => KINDS[kind]) } : {}),
      ...(query.types ? { types: query.types } : {}),
    }
    if (query.keyword !== undefined) {
      const order = (query.sort ?? 'relevance') === 'relevance' ? 'relevance' : sortOrder(query)
      const asked = { keyword: query.keyword, filter, order, page } as const
      const { items, ids, total, didYouMean } = await findItems(shop, asked)
      return {
        ...hydraList({ type: 'Murmuration', url, members: items, total, ...page }),
        excerpts: await excerptsFor(shop, 'items', ids, didYouMean ?? query.keyword),
        didYouMean,
      }
    }
    const { rows, total } = await listItems(shop, filter, page, sortOrder(query))
    return hydraList({ type: 'Murmuration', url, members: rows.map(murmurationView), total, ...page })
  })
  const brake = new RequestBrake(SEARCHES)
  const refuseHaste = (request: FastifyRequest) => {
    const address = visitorAddress(request)
    if (!isExempt(shop.config, address)) brake.count(addressKey(address), shop.now())
  }

  async function both(call: SearchCall, pages: Parameters<typeof findBoth>[2]) {
    refuseHaste(call.request)
    const [{ books, articles, didYouMean }, reader] = await Promise.all([
      findBoth(shop, call.query.keyword ?? '', pages, call.query.together),
      readerOf(shop, call),
    ])
    const meant = didYouMean ?? call.query.keyword ?? ''
    const named = await seriesNamed(shop, meant)
    return call.sameFor(marksOn(books.ids, reader), async () => ({
      '@context': '/api/contexts/SearchResults',
      '@id': call.url.split('?')[0]!,
      '@type': 'SearchResults' as const,
      books: await cardsOf(shop, books.ids, reader),
      booksTotal: books.total,
      articles: await murmurationsOf(shop.db, articles.ids),
      articlesTotal: articles.total,
      excerpts: await excerptsFor(shop, 'items', articles.ids, meant),
      series: named.map(seriesSummary),
      didYouMean,
    }))
  }

  serve(server, quickResults, (call) =>
    both(call, {
      books: { page: 1, itemsPerPage: QUICK_RESULTS.books },
      articles: { page: 1, itemsPerPage: QUICK_RESULTS.articles },
    }),
  )
  serve(server, searches, (call) => {
    const page = pageOf(call.query, FOUND_PAGE)
    return both(call, { books: page, articles: page })
  })
  serve(server, searchBooks, async ({ query, url, request, ...call }) => {
    refuseHaste(request)
    const page = pageOf(query, FOUND_PAGE)
    const order =
      query.sort !== 'name' ? 'relevance' : query.direction === 'desc' ? 'title from the end' : 'title'
    const { keyword = '', together } = query
    const asked = { keyword, filter: searchFilterOf(query), order, page, together } as const
    const [{ books, didYouMean }, reader] = await Promise.all([findBooks(shop, asked), readerOf(shop, call)])
    return call.sameFor(marksOn(books.ids, reader), async () => {
      const cards = await cardsOf(shop, books.ids, reader)
      const members = together ? await withEBooks(shop, cards) : cards
      const series = (await seriesNamed(shop, didYouMean ?? asked.keyword)).map(seriesSummary)
      return {
        ...hydraList({ type: 'AudioBook', url, members, total: books.total, ...page }),
        excerpts: await excerptsFor(shop, 'books', books.ids, didYouMean ?? asked.keyword),
        series,
        didYouMean,
      }
    })
  })
}

interface SearchCall extends Pick<Call<Endpoint>, 'caller' | 'countries' | 'sameFor' | 'request' | 'url'> {
  readonly query: { readonly keyword?: string; readonly together?: boolean }
}

const KINDS = { articles: 'article', interviews: 'interview', discussions: 'discussion' } as const

/** Names ascending and dates newest first, unless a direction is given (API-40). */
const sortOrder = ({ sort, direction }: { sort?: string; direction?: 'asc' | 'desc' }): Order =>
  sort === 'title'
    ? direction === 'desc'
      ? 'title from the end'
      : 'title'
    : direction === 'asc'
      ? 'oldest'
      : 'newest'
