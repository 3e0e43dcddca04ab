import type { Murmuration } from '#contract/editorial.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import { catalogueCache } from '../../caches.ts'
import type { Shop } from '../../shop.ts'
import { booksFitting } from '../catalogue/queries.ts'
import { murmurationsOf } from '../editorial/service.ts'
import { itemCondition as itemsFitting, type EditorialFilter } from '../editorial/queries.ts'
import { allSeries } from '../series/service.ts'
import type { SummaryRow as NamedSeries } from '../series/queries.ts'
import type { Narrowing } from '#contract/calculations/book-filter.ts'
import { correctedQuery } from '#contract/calculations/corrected-query.ts'
import {
  selectBodies,
  selectFirstThatFinds,
  selectFound,
  selectKnownWords,
  selectNearWords,
  type Found,
  type Looking,
  type Order,
  type Shelf,
} from './queries.ts'
import { excerptsOf } from '#contract/calculations/excerpt.ts'
import { textQuery } from '#contract/calculations/text-query.ts'
import { tellingWords, wordsOf } from '#contract/calculations/search-words.ts'

interface Answered {
  readonly didYouMean: string | null
}
export interface FoundBooks extends Answered {
  readonly books: Found
}
export interface FoundItems extends Answered {
  readonly items: Murmuration[]
  readonly ids: readonly number[]
  readonly total: number
}
export interface FoundBoth extends FoundBooks {
  readonly articles: Found
}

interface SearchRequest<F> {
  readonly keyword: string
  readonly filter: F
  readonly order: Order
  readonly page: PageOf
  readonly together?: boolean | undefined
}

export async function findBooks(
  shop: Pick<Shop, 'db' | 'caches'>,
  { keyword, filter, order, page, together }: SearchRequest<Narrowing>,
): Promise<FoundBooks> {
  const key = JSON.stringify(['books', keyword, filter, order, page, together])
  const { found, didYouMean } = await results(shop).of(key, () =>
    runSearch(shop.db, keyword, [
      { shelf: 'books', conditions: booksFitting(filter), order, together, ...sliceOf(page) },
    ]),
  )
  const [books = NOTHING] = found
  return { books, didYouMean }
}

export async function findItems(
  shop: Pick<Shop, 'db' | 'caches'>,
  { keyword, filter, order, page }: SearchRequest<EditorialFilter>,
): Promise<FoundItems> {
  const items = { shelf: 'items', conditions: [itemsFitting(filter)], order, ...sliceOf(page) } as const
  const { found, didYouMean } = await runSearch(shop.db, keyword, [items])
  const [{ ids, total } = NOTHING] = found
  return { items: await murmurationsOf(shop.db, ids), ids, total, didYouMean }
}

export async function findBoth(
  shop: Pick<Shop, 'db' | 'caches' | 'config'>,
  keyword: string,
  pages: { readonly books: PageOf; readonly articles: PageOf },
  together = false,
): Promise<FoundBoth> {
  const best = { conditions: [], order: 'relevance' } as const
  const key = JSON.stringify(['both', keyword, pages, together])
  const { found, didYouMean } = await results(shop).of(key, () =>
    runSearch(shop.db, keyword, [
      { shelf: 'books', ...best, together, ...sliceOf(pages.books) },
      ...(shop.config.details.has('journal')
        ? [{ shelf: 'items', ...best, ...sliceOf(pages.articles) } as const]
        : []),
    ]),
  )
  const [books = NOTHING, articles = NOTHING] = found
  return { books, articles, didYouMean }
}

const MOST_SERIES = 3

/** Each typed word must start a word of the title or of an author's name. Small words count only if there are no others. */
export async function seriesNamed(
  shop: Pick<Shop, 'db' | 'caches'>,
  keyword: string,
): Promise<readonly NamedSeries[]> {
  if (!textQuery(keyword)) return []
  const typed = tellingWords(keyword)
  const isNamed = ({ title, authors }: NamedSeries) => {
    const words = wordsOf(`${title} ${authors}`)
    return typed.every((word) => words.some((each) => each.startsWith(word)))
  }
  return (await allSeries(shop)).filter(isNamed).slice(0, MOST_SERIES)
}

/** The excerpts of results, as in the contract. */
export const excerptsFor = async (
  { db }: Pick<Shop, 'db'>,
  shelf: Shelf,
  ids: readonly number[],
  keyword: string,
): Promise<Record<string, string>> =>
  ids.length === 0 ? {} : excerptsOf(await selectBodies(db, shelf, ids), keyword)

interface SearchResult {
  readonly found: Found[]
  readonly didYouMean: string | null
}

const results = catalogueCache<SearchResult>(2_000)

const NOTHING: Found = { ids: [], total: 0 }

async function runSearch(db: Db, keyword: string, shelves: readonly Looking[]): Promise<SearchResult> {
  const query = textQuery(keyword)
  if (!query) return { found: [], didYouMean: null }
  const found = await Promise.all(shelves.map((looking) => selectFound(db, query, looking)))
  if (found.some(({ total }) => total > 0)) return { found, didYouMean: null }
  const names = shelves.map(({ shelf }) => shelf)
  const meant = await correctedQuery(
    {
      knownWords: (words) => selectKnownWords(db, words),
      nearWords: (word, limit) => selectNearWords(db, word, limit),
      firstThatFinds: (queries) => selectFirstThatFinds(db, names, queries),
    },
    query,
  )
  if (!meant) return { found, didYouMean: null }
  return {
    found: await Promise.all(shelves.map((looking) => selectFound(db, meant, looking))),
    didYouMean: meant.words.join(' '),
  }
}

const sliceOf = ({ page, itemsPerPage }: PageOf) => ({
  offset: (page - 1) * itemsPerPage,
  limit: itemsPerPage,
})
