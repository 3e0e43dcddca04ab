import type { EditorialCard } from '#contract/editorial.ts'
import type { IndexedBook } from '#contract/catalogue-index.ts'
import { searchFilterOf } from '#contract/calculations/book-filter.ts'
import { correctedQuery, type Searched } from '#contract/calculations/corrected-query.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { cardOf, type Catalogue, fullNameOf } from '#contract/calculations/indexed-catalogue.ts'
import { namingWords, type Weight, weightedWords } from '#contract/calculations/search-document.ts'
import { isSmallWord, wordsOf } from '#contract/calculations/search-words.ts'
import { seriesSummary } from '#contract/calculations/series-item.ts'
import { type TextQuery, textQuery } from '#contract/calculations/text-query.ts'
import type { Answers } from './answer.ts'
import { fitting } from './books.ts'
import { byTitle, murmurationOf, newestFirst } from './article-cards.ts'
import { nearWords } from './near-words.ts'
import { textMatch } from './text-match.ts'

// CONST: results have pages of twelve titles; the header's panel shows four titles and two articles.
const PAGE = 12
const QUICK = { books: { page: 1, itemsPerPage: 4 }, articles: { page: 1, itemsPerPage: 2 } } as const

export const SEARCH_ANSWERS: Answers<
  'GET /api/quick_results' | 'GET /api/searches' | 'GET /api/search_books'
> = {
  'GET /api/quick_results': ({ catalogue, query, url }) => both(catalogue, query.keyword ?? '', url, QUICK),
  'GET /api/searches': ({ catalogue, query, url }) => {
    const page = pageOf(query, PAGE)
    return both(catalogue, query.keyword ?? '', url, { books: page, articles: page })
  },
  'GET /api/search_books': async ({ catalogue, query, url }) => {
    const page = pageOf(query, PAGE)
    const keyword = query.keyword ?? ''
    const { books, didYouMean } = await look(catalogue, keyword, { books: true })
    const narrowed = books.filter(fitting(catalogue, searchFilterOf(query)))
    const found = query.sort === 'name' ? byName(narrowed, query.direction === 'desc') : narrowed
    const from = (page.page - 1) * page.itemsPerPage
    const members = found.slice(from, from + page.itemsPerPage).map((book) => cardOf(catalogue, book))
    return {
      ...hydraList({ type: 'AudioBook', url, members, total: found.length, ...page }),
      series: seriesNamed(catalogue, didYouMean ?? keyword).map(seriesSummary),
      didYouMean,
    }
  },
}

type Page = ReturnType<typeof pageOf>

async function both(
  catalogue: Catalogue,
  keyword: string,
  url: string,
  pages: { readonly books: Page; readonly articles: Page },
) {
  const { books, articles, didYouMean } = await look(catalogue, keyword, {
    books: true,
    articles: catalogue.journal,
  })
  const on = <T>(all: readonly T[], { page, itemsPerPage }: Page) =>
    all.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  return {
    '@context': '/api/contexts/SearchResults',
    '@id': url.split('?')[0]!,
    '@type': 'SearchResults' as const,
    books: on(books, pages.books).map((book) => cardOf(catalogue, book)),
    booksTotal: books.length,
    articles: on(articles, pages.articles).map(murmurationOf),
    articlesTotal: articles.length,
    series: seriesNamed(catalogue, didYouMean ?? keyword).map(seriesSummary),
    didYouMean,
  }
}

/** Journal pieces, best match first. */
export async function findArticles(
  catalogue: Catalogue,
  keyword: string,
  fits: (card: EditorialCard) => boolean,
): Promise<{ found: readonly EditorialCard[]; didYouMean: string | null }> {
  const { articles, didYouMean } = await look(catalogue, keyword, { articles: true })
  return { found: articles.filter(fits), didYouMean }
}

const byName = (books: readonly IndexedBook[], fromEnd: boolean) =>
  [...books].sort((one, other) => (fromEnd ? -1 : 1) * byTitle(one.title, other.title) || other.id - one.id)

interface Text<T> {
  readonly it: T
  readonly words: ReadonlyMap<string, Weight>
}
interface Texts {
  readonly books: readonly Text<IndexedBook>[]
  readonly articles: readonly Text<EditorialCard>[]
  /** For each word, the number of titles and pieces that use it in a title, a name or a subject. */
  readonly uses: ReadonlyMap<string, number>
}

/** Built at the first search, in about 200 ms on a phone for a full index. */
const texts = new WeakMap<Catalogue, Texts>()

function textsOf(catalogue: Catalogue): Texts {
  const known = texts.get(catalogue)
  if (known) return known
  const uses = new Map<string, number>()
  const textOf = <T>(it: T, document: Parameters<typeof weightedWords>[0]): Text<T> => {
    for (const word of namingWords(document)) uses.set(word, (uses.get(word) ?? 0) + 1)
    return { it, words: weightedWords(document) }
  }
  const made: Texts = {
    books: catalogue.books.map((book) => textOf(book, bookText(catalogue, book))),
    articles: newestFirst(catalogue.articles).map((card) => textOf(card, articleText(catalogue, card))),
    uses,
  }
  texts.set(catalogue, made)
  return made
}

/** Same text as `selectBooksToRefresh` builds in the server's search. */
function bookText(catalogue: Catalogue, book: IndexedBook) {
  const { personBy, seriesBy, titleOf, publishers, styles, categories } = catalogue
  const people = [
    ...(book.authors ?? []),
    ...(book.narrators ?? []),
    ...(book.translator === undefined ? [] : [book.translator]),
  ]
  const subjects = [
    ...(book.tags ?? []).map(titleOf.tag),
    ...(book.locations ?? []).map(titleOf.location),
    publishers.find(({ id }) => id === book.publisher)?.name,
    styles.find(({ id }) => id === book.style)?.title,
    categories.find(({ id }) => id === book.category)?.name,
    book.spiSIN,
    book.keywords,
    ...(book.series ?? []).map(({ id }) => seriesBy.get(id)?.title),
  ]
  return {
    title: book.title,
    people: people
      .flatMap((id) => personBy.get(id) ?? [])
      .map(fullNameOf)
      .join(' '),
    subjects: subjects.filter((text) => text !== undefined).join(' '),
    body: book.summary ?? '',
  }
}

function articleText({ texts: pages }: Catalogue, card: EditorialCard) {
  const page = pages.find(({ id }) => id === card.id)
  const { title, author, category, type, shortDescription, summary } = card
  return {
    title,
    people: author ? `${author.firstName} ${author.lastName}` : '',
    subjects: [category?.name, type?.title, page?.metaKeywords].filter(Boolean).join(' '),
    body: `${shortDescription} ${summary} ${page?.main ?? ''}`,
  }
}

interface Shelves {
  readonly books?: boolean
  readonly articles?: boolean
}
interface Looked {
  readonly books: readonly IndexedBook[]
  readonly articles: readonly EditorialCard[]
  readonly didYouMean: string | null
}
const NOTHING: Looked = { books: [], articles: [], didYouMean: null }

/** Searches for the words as typed and, if they find nothing at all, for their likely correction. */
async function look(catalogue: Catalogue, keyword: string, shelves: Shelves): Promise<Looked> {
  const query = textQuery(keyword)
  if (!query) return NOTHING
  const all = textsOf(catalogue)
  const open: Texts = {
    ...all,
    // Include announced titles, which can't be bought yet.
    books: shelves.books ? all.books.filter(({ it }) => !it.unsold || it.preorder !== undefined) : [],
    articles: shelves.articles ? all.articles : [],
  }
  const found = foundIn(open, query)
  if (found.books.length + found.articles.length > 0) return { ...found, didYouMean: null }
  const meant = await correctedQuery(searchedIn(open), query)
  return meant ? { ...foundIn(open, meant), didYouMean: meant.words.join(' ') } : NOTHING
}

function foundIn({ books, articles }: Texts, query: TextQuery) {
  const fits = textMatch(query.found)
  const tiers = query.tiers.map(textMatch)
  const tierOf = (words: ReadonlyMap<string, Weight>) => {
    const place = tiers.findIndex((tier) => tier(words))
    return place === -1 ? tiers.length : place
  }
  const best = <T>(all: readonly Text<T>[]) =>
    all
      .filter(({ words }) => fits(words))
      .map(({ it, words }) => ({ it, tier: tierOf(words) }))
      .sort((one, other) => one.tier - other.tier)
      .map(({ it }) => it)
  return { books: best(books), articles: best(articles) }
}

function searchedIn({ books, articles, uses }: Texts): Searched {
  return {
    knownWords: async (words) => new Set(words.filter((word) => uses.has(word))),
    nearWords: async (word, limit) => nearWords(uses, word, limit),
    firstThatFinds: async (queries) => {
      const place = queries.findIndex(({ found }) => {
        const fits = textMatch(found)
        return [...books, ...articles].some(({ words }) => fits(words))
      })
      return place === -1 ? null : place
    },
  }
}

const MOST_SERIES = 3

/** Same matching as `seriesNamed` in the server's search. */
function seriesNamed({ series }: Catalogue, keyword: string) {
  if (!textQuery(keyword)) return []
  const every = wordsOf(keyword)
  const typed = every.some((word) => !isSmallWord(word)) ? every.filter((word) => !isSmallWord(word)) : every
  return series
    .filter(({ title }) => {
      const words = wordsOf(title)
      return typed.every((word) => words.some((each) => each.startsWith(word)))
    })
    .slice(0, MOST_SERIES)
}
