import type { FastifyRequest } from 'fastify'
import type { QueryOf } from '#contract/endpoint.ts'
import { QUICK_RESULTS, quickResults, searchBooks, searches } from '#contract/search.ts'
import { RequestBrake, isExempt } from '../../guards/request-brake.ts'
import { addressOf } from '../../guards/in-process.ts'
import { addressKey } from '../../guards/rate-limit.ts'
import { hydraList, pageOf } from '../../wire/hydra.ts'
import { serve, type ApiServer } from '../../wire/serve.ts'
import { ids, readerOf, type Narrowing } from '../catalogue/rules.ts'
import { findBooks, findBoth, type FoundBoth } from './rules.ts'

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

  serve(server, quickResults, async ({ query, url, request, ...call }) => {
    refuseHaste(request)
    const pages = {
      books: { page: 1, itemsPerPage: QUICK_RESULTS.books },
      articles: { page: 1, itemsPerPage: QUICK_RESULTS.articles },
    }
    return resultsAt(url, await findBoth(shop, query.keyword ?? '', pages, await readerOf(shop, call)))
  })
  serve(server, searches, async ({ query, url, request, ...call }) => {
    refuseHaste(request)
    const page = pageOf(query, FOUND_PAGE)
    const pages = { books: page, articles: page }
    return resultsAt(url, await findBoth(shop, query.keyword ?? '', pages, await readerOf(shop, call)))
  })
  serve(server, searchBooks, async ({ query, url, request, ...call }) => {
    refuseHaste(request)
    const page = pageOf(query, FOUND_PAGE)
    const order =
      query.sort !== 'name' ? 'relevance' : query.direction === 'desc' ? 'title from the end' : 'title'
    const asked = { keyword: query.keyword ?? '', filter: filterOf(query), order, page } as const
    const { cards, total, didYouMean } = await findBooks(shop, asked, await readerOf(shop, call))
    return { ...hydraList({ type: 'AudioBook', url, members: cards, total, ...page }), didYouMean }
  })
}

const resultsAt = (url: string, found: FoundBoth) => ({
  '@context': '/api/contexts/SearchResults',
  '@id': url.split('?')[0]!,
  '@type': 'SearchResults' as const,
  ...found,
})

/** OP-58: nine hours are at most, every other length is at least, as in the listings. */
function filterOf(query: QueryOf<typeof searchBooks>): Narrowing {
  const { lengthHours: hours, pagesMinimum } = query
  return {
    ...ids('styles', query.styles),
    ...ids('categories', query.categories),
    ...ids('locations', query.locations),
    ...ids('publishers', query.publishers),
    ...ids('nationalities', query.authorsNationality),
    ...(hours === undefined
      ? {}
      : hours === MOST_HOURS
        ? { belowMinutes: (hours + 1) * 60 }
        : { minMinutes: hours * 60 }),
    ...(pagesMinimum === undefined ? {} : { minPages: pagesMinimum }),
  }
}
const MOST_HOURS = 9
