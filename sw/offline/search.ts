import type { EditorialCard, Murmuration } from '#contract/editorial.ts'
import type { IndexedBook } from '#contract/catalogue-index.ts'
import { searchFilterOf } from '#contract/calculations/book-filter.ts'
import { correctedQuery, type Searched } from '#contract/calculations/corrected-query.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import {
  cardOf,
  type Catalogue,
  counterpartOf,
  fullNameOf,
} from '#contract/calculations/indexed-catalogue.ts'
import { excerptsOf } from '#contract/calculations/excerpt.ts'
import { namingWords, type Weight, weightedWords } from '#contract/calculations/search-document.ts'
import { tellingWords, wordsOf } from '#contract/calculations/search-words.ts'
import { seriesSummary } from '#contract/calculations/series-item.ts'
import { type TextQuery, textQuery } from '#contract/calculations/text-query.ts'
import type { Answers } from './answer.ts'
import { fitting } from './books.ts'

// CONST: results have pages of twelve titles; the header's panel shows four titles and two articles.
const PAGE = 12
const QUICK = { books: { page: 1, itemsPerPage: 4 }, articles: { page: 1, itemsPerPage: 2 } } as const

export const SEARCH_ANSWERS: Answers<
  'GET /api/quick_results' | 'GET /api/searches' | 'GET /api/search_books'
> = {
  'GET /api/quick_results': ({ catalogue, query, url }) =>
    both(catalogue, query.keyword ?? '', url, QUICK, query.together),
  'GET /api/searches': ({ catalogue, query, url }) => {
    const page = pageOf(query, PAGE)
    return both(catalogue, query.keyword ?? '', url, { books: page, articles: page })
  },
  'GET /api/search_books': async ({ catalogue, query, url }) => {
    const page = pageOf(query, PAGE)
    const { keyword = '', together } = query
    const { books, didYouMean } = await look(catalogue, keyword, { books: true })
    const narrowed = books.filter(fitting(catalogue, searchFilterOf(query)))
    const once = together ? withoutEBooksBeside(narrowed) : narrowed
    const found = query.sort === 'name' ? byName(once, query.direction === 'desc') : once
    const from = (page.page - 1) * page.itemsPerPage
    const members = found.slice(from, from + page.itemsPerPage).map((book) => {
      const card = cardOf(catalogue, book)
      const eBook = together && !book.eBook ? counterpartOf(catalogue, book) : null
      return eBook ? { ...card, eBook } : card
    })
    return {
      ...hydraList({ type: 'AudioBook', url, members, total: found.length, ...page }),
      excerpts: bookExcerpts(catalogue, found.slice(from, from + page.itemsPerPage), didYouMean ?? keyword),
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
  together = false,
) {
  const {
    books: found,
    articles,
    didYouMean,
  } = await look(catalogue, keyword, {
    books: true,
    articles: catalogue.journal,
  })
  const books = together ? withoutEBooksBeside(found) : found
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
    excerpts: articleExcerpts(catalogue, on(articles, pages.articles), didYouMean ?? keyword),
    series: seriesNamed(catalogue, didYouMean ?? keyword).map(seriesSummary),
    didYouMean,
  }
}

const bookExcerpts = (catalogue: Catalogue, books: readonly IndexedBook[], keyword: string) =>
  excerptsOf(
    books.map((book) => ({ id: book.id, ...bookText(catalogue, book) })),
    keyword,
  )

export const articleExcerpts = (catalogue: Catalogue, articles: readonly EditorialCard[], keyword: string) =>
  excerptsOf(
    articles.map((card) => ({ id: card.id, ...articleText(catalogue, card) })),
    keyword,
  )

/** Journal pieces, best match first. */
export async function findArticles(
  catalogue: Catalogue,
  keyword: string,
  fits: (card: EditorialCard) => boolean,
): Promise<{ found: readonly EditorialCard[]; didYouMean: string | null }> {
  const { articles, didYouMean } = await look(catalogue, keyword, { articles: true })
  return { found: articles.filter(fits), didYouMean }
}

/** Same as `notBeside` in the server's search. */
function withoutEBooksBeside(found: readonly IndexedBook[]): readonly IndexedBook[] {
  const audioBooks = new Set(found.flatMap(({ id, eBook }) => (eBook ? [] : [id])))
  return found.filter(({ eBook, unsold, other }) => !eBook || unsold || !audioBooks.has(other ?? -1))
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
function seriesNamed(catalogue: Catalogue, keyword: string) {
  if (!textQuery(keyword)) return []
  const typed = tellingWords(keyword)
  const authors = authorsOfSeries(catalogue)
  return catalogue.series
    .filter(({ id, title }) => {
      const words = wordsOf([title, ...(authors.get(id) ?? [])].join(' '))
      return typed.every((word) => words.some((each) => each.startsWith(word)))
    })
    .slice(0, MOST_SERIES)
}

/** Names by the series' id. */
function authorsOfSeries({ books, personBy }: Catalogue): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>()
  for (const { series = [], authors = [] } of books)
    for (const { id } of series) {
      const names = found.get(id) ?? new Set()
      for (const author of authors.flatMap((one) => personBy.get(one) ?? [])) names.add(fullNameOf(author))
      found.set(id, names)
    }
  return found
}

/** PostgreSQL's default `pg_trgm.similarity_threshold`, which its `%` operator uses. */
const LEAST_SIMILARITY = 0.3

interface NearWord {
  readonly word: string
  readonly uses: number
}

/** The similar words, chosen and sorted like `selectNearWords` in the server's search. */
function nearWords(known: ReadonlyMap<string, number>, word: string, limit: number): NearWord[] {
  const half = Math.floor(word.length / 2)
  const [beginning, end] = [word.slice(0, half), word.slice(-half)]
  const swapped = word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1)
  const trigrams = trigramsOf(word)
  return [...known]
    .filter(([other]) => Math.abs(other.length - word.length) <= 2)
    .map(([other, uses]) => ({
      word: other,
      uses,
      isSwapped: other === swapped,
      similarity: similarityOf(trigrams, trigramsOf(other)),
    }))
    .filter(
      (other) =>
        other.word.startsWith(beginning) ||
        other.word.endsWith(end) ||
        other.isSwapped ||
        other.similarity >= LEAST_SIMILARITY,
    )
    .sort(
      (one, other) =>
        Number(other.isSwapped) - Number(one.isSwapped) ||
        other.similarity - one.similarity ||
        other.uses - one.uses ||
        (one.word < other.word ? -1 : 1),
    )
    .slice(0, limit)
}

/** Like `pg_trgm`: pads a word with two spaces before and one after. */
function trigramsOf(word: string): ReadonlySet<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, place) => padded.slice(place, place + 3)))
}

/** The share of their combined trigrams that both words have. */
function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return shared / (one.size + other.size - shared)
}

type TextMatch = (words: ReadonlyMap<string, Weight>) => boolean

/**
 * Parses a text query from `text-query.ts` as PostgreSQL does: terms such as `'lamp':*AB` joined by `&`, some of them two
 * alternatives in brackets. Device and server can then use the same queries.
 */
function textMatch(query: string): TextMatch {
  const terms = splitOutside(query).map((part) =>
    part
      .replaceAll(/^\(|\)$/g, '')
      .split(' | ')
      .map(termOf),
  )
  return (words) => terms.every((choices) => choices.some((fits) => fits(words)))
}

/** Splits at every `&`. Quoted words contain only letters and digits, so no `&` is inside quotation marks. */
const splitOutside = (query: string) => query.split(' & ').map((part) => part.trim())

function termOf(term: string): TextMatch {
  const [, word = '', isBeginning, weights = ''] = /^'([^']*)'(?::(\*?)([A-D]*))?$/.exec(term) ?? []
  const hasWeight = (weight: Weight) => weights === '' || weight === 'key' || weights.includes(weight)
  if (!isBeginning)
    return (words) => {
      const weight = words.get(word)
      return weight !== undefined && hasWeight(weight)
    }
  return (words) => {
    for (const [each, weight] of words) if (each.startsWith(word) && hasWeight(weight)) return true
    return false
  }
}

/** Lower-cases titles as the database does when it compares them. */
export const byTitle = (one: string, other: string): number => {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}

export const newestFirst = (cards: readonly EditorialCard[]): EditorialCard[] =>
  [...cards].sort(
    (one, other) =>
      (one.publishedAt < other.publishedAt ? 1 : one.publishedAt > other.publishedAt ? -1 : 0) ||
      other.id - one.id,
  )

/** Nests the piece under the name of its kind (ENT-04). */
export const murmurationOf = (card: EditorialCard): Murmuration => ({
  '@id': `/api/murmurations/${card.id}`,
  '@type': 'Murmuration',
  article: card.entityType === 'article' ? card : null,
  interview: card.entityType === 'interview' ? card : null,
  discussion: card.entityType === 'discussion' ? card : null,
})
