import Type from 'typebox'
import { AudioBookCard, Counterpart, EBookCard } from './catalogue.ts'
import { Ids, NullableString, paging } from './atoms.ts'
import { Excerpts, Murmuration } from './editorial.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { SeriesSummary } from './series.ts'

/** Searching begins with three characters (SEARCH-01). */
export const Keyword = Type.String({ maxLength: 200 })
export const QUICK_RESULTS = { books: 4, articles: 2 } as const

const FoundBook = Type.Union([AudioBookCard, EBookCard])
const found = {
  '@context': Type.String(),
  '@id': Type.String(),
  '@type': Type.Literal('SearchResults'),
  books: Type.Array(FoundBook),
  booksTotal: Type.Integer(),
  articles: Type.Array(Murmuration),
  articlesTotal: Type.Integer(),
  /** Of the articles. */
  excerpts: Type.Optional(Excerpts),
  /** Series found by name, at most three. */
  series: Type.Array(SeriesSummary),
  /** The corrected keyword if the typed one has no results, else null. */
  didYouMean: NullableString,
}

/**
 * Up to 4 books and 2 articles with both totals, for the header panel. Two characters or fewer give no results. With
 * `together` an e-book is left out, and not counted, if its audiobook is found, too.
 */
export const quickResults = endpoint({
  method: 'GET',
  path: '/api/quick_results',
  summary: 'The header panel’s results',
  access: 'public',
  query: Type.Object({ keyword: Type.Optional(Keyword), together: Type.Optional(Type.Boolean()) }),
  reply: Type.Object(found),
})
/** Books and articles together (ENT-32). */
export const searches = endpoint({
  method: 'GET',
  path: '/api/searches',
  summary: 'Books and articles together',
  access: 'public',
  query: Type.Object({ keyword: Type.Optional(Keyword), ...paging(12) }),
  reply: Type.Object(found),
})
/**
 * Both formats; filters as in the listings. `lengthHours` 9 means at most nine hours (OP-58). With `together` an e-book is
 * left out if its audiobook is found, too, and audiobooks name their e-book.
 */
export const searchBooks = endpoint({
  method: 'GET',
  path: '/api/search_books',
  summary: 'Book search',
  access: 'public',
  query: Type.Object({
    keyword: Type.Optional(Keyword),
    ...paging(12),
    sort: Type.Optional(Type.Union([Type.Literal('relevance'), Type.Literal('name')])),
    direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    styles: Type.Optional(Ids),
    categories: Type.Optional(Ids),
    locations: Type.Optional(Ids),
    publishers: Type.Optional(Ids),
    authorsNationality: Type.Optional(Ids),
    lengthHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    pagesMinimum: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    together: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    ...collection(
      Type.Union([
        Type.Object({ ...AudioBookCard.properties, eBook: Type.Optional(Counterpart) }),
        EBookCard,
      ]),
    ).properties,
    excerpts: Type.Optional(Excerpts),
    /** Series found by name, at most three. */
    series: Type.Array(SeriesSummary),
    /** The corrected keyword if the typed one has no results, else null. */
    didYouMean: NullableString,
  }),
})
