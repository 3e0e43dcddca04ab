import type { FastifyRequest } from 'fastify'
import { searchFilterOf } from '#contract/calculations/book-filter.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { QUICK_RESULTS, quickResults, searchBooks, searches } from '#contract/search.ts'
import { RequestBrake, isExempt } from '../../guards/request-brake.ts'
import { addressOf } from '../../guards/in-process.ts'
import { addressKey } from '../../guards/rate-limit.ts'
import { seriesSummary } from '#contract/calculations/series-item.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer, type Call } from '../../wire/serve.ts'
import { cardsOf, marksOn, readerOf } from '../catalogue/rules.ts'
import { murmurationsOf } from '../editorial/rules.ts'
import { findBooks, findBoth, seriesNamed } from './rules.ts'

const FOUND_PAGE = 12
/** Two a second, all minute long: more than fingers type. An answer from memory does not count. */
const SEARCHES = { most: 120, windowSeconds: 60 }

export function registerSearch(server: ApiServer): void {
  const { shop } = server
  const brake = new RequestBrake(SEARCHES)
  const refuseHaste = (request: FastifyRequest) => {
    const address = addressOf(request)
    if (!isExempt(shop.config, address)) brake.count(addressKey(address), shop.now())
  }

  async function both(call: SearchCall, pages: Parameters<typeof findBoth>[2]) {
    refuseHaste(call.request)
    const [{ books, articles, didYouMean }, reader] = await Promise.all([
      findBoth(shop, call.query.keyword ?? '', pages),
      readerOf(shop, call),
    ])
    const named = await seriesNamed(shop, didYouMean ?? call.query.keyword ?? '')
    return call.sameFor(marksOn(books.ids, reader), async () => ({
      '@context': '/api/contexts/SearchResults',
      '@id': call.url.split('?')[0]!,
      '@type': 'SearchResults' as const,
      books: await cardsOf(shop, books.ids, reader),
      booksTotal: books.total,
      articles: await murmurationsOf(shop.db, articles.ids),
      articlesTotal: articles.total,
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
    const asked = { keyword: query.keyword ?? '', filter: searchFilterOf(query), order, page } as const
    const [{ books, didYouMean }, reader] = await Promise.all([findBooks(shop, asked), readerOf(shop, call)])
    return call.sameFor(marksOn(books.ids, reader), async () => {
      const members = await cardsOf(shop, books.ids, reader)
      const series = (await seriesNamed(shop, didYouMean ?? asked.keyword)).map(seriesSummary)
      return {
        ...hydraList({ type: 'AudioBook', url, members, total: books.total, ...page }),
        series,
        didYouMean,
      }
    })
  })
}

interface SearchCall extends Pick<Call<Endpoint>, 'caller' | 'countries' | 'sameFor' | 'request' | 'url'> {
  readonly query: { readonly keyword?: string }
}
