import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { CatalogueIndex, IndexedBook, IndexedPerson } from '#contract/catalogue-index.ts'
import { CATALOGUE_INDEX } from '#contract/limits.ts'
import type { Shop } from '../../shop.ts'
import { cardsOf, lookupsOf, type Reader } from '../catalogue/service.ts'
import { listItems, murmurationTypes, readItem } from '../editorial/service.ts'
import { cardView } from '../editorial/serializers.ts'
import { allSeries, worksOfSeries } from '../series/service.ts'
import {
  countListed,
  selectCountsOfPeople,
  selectDetails,
  selectIndexedIds,
  selectPeople,
  selectTags,
} from './queries.ts'
import { indexedBook, indexedText } from './serializers.ts'

type Stock = Pick<Shop, 'db' | 'caches' | 'config' | 'now' | 'clock'>

const BOOKS_PER_QUERY = 250

/** If too large, drops summaries of the oldest titles, then journal texts, then titles; promoted ones last. */
export async function indexOf(
  shop: Stock,
  reader: Reader,
  { titles, gzipBytes }: { titles: number; gzipBytes: number } = CATALOGUE_INDEX,
): Promise<CatalogueIndex> {
  const [ids, listed] = [await selectIndexedIds(shop.db, titles), await countListed(shop.db)]
  const books: IndexedBook[] = []
  for (let from = 0; from < ids.length; from += BOOKS_PER_QUERY)
    books.push(...(await indexedBooks(shop, ids.slice(from, from + BOOKS_PER_QUERY), reader)))
  const lookups = await lookupsOf(shop)
  const { details } = shop.config
  const journal = details.has('journal')
  const { articles, texts } = journal ? await journalOf(shop, reader) : { articles: [], texts: [] }
  const isComplete = listed <= ids.length
  const people = await peopleOf(shop, books)
  const index = {
    version: CATALOGUE_INDEX.version,
    audiobooks: details.has('audiobooks'),
    eBooks: details.has('eBooks'),
    journal,
    tags: await selectTags(
      shop.db,
      allPages(books, ({ tags }) => tags),
    ),
    people: isComplete ? people.bare : people.counted,
    series: await seriesOf(shop, books, isComplete),
    ...lookups,
    types: journal ? await murmurationTypes(shop) : [],
    articles,
  }
  return within(gzipBytes, index, { books, texts, isComplete, counted: people.counted })
}

async function indexedBooks(shop: Stock, ids: readonly number[], reader: Reader): Promise<IndexedBook[]> {
  const [cards, details] = [await cardsOf(shop, ids, reader), await selectDetails(shop.db, ids)]
  const rowBy = new Map(details.map((row) => [row.id, row]))
  return cards.flatMap((card) => {
    const row = rowBy.get(card.id)
    return row ? [indexedBook(card, row)] : []
  })
}

async function peopleOf(shop: Stock, books: readonly IndexedBook[]) {
  const ids = allPages(books, ({ authors = [], narrators = [], translator }) => [
    ...authors,
    ...narrators,
    ...(translator === undefined ? [] : [translator]),
  ])
  const bare = (await selectPeople(shop.db, ids)).map(({ nationality, about, ...person }): IndexedPerson => ({
    ...person,
    ...(about && { about }),
    ...(nationality === null ? {} : { nationality }),
  }))
  const countsBy = new Map(
    (await selectCountsOfPeople(shop.db, ids)).map(({ id, counts }) => [id, counts] as const),
  )
  const counted = bare.map((person) => ({ ...person, counts: countsBy.get(person.id) ?? NONE }))
  return { bare, counted }
}

const NONE: [number, number, number] = [0, 0, 0]

async function journalOf(shop: Stock, reader: Reader) {
  const { rows } = await listItems(shop, {}, { page: 1, itemsPerPage: CATALOGUE_INDEX.articles })
  const texts = []
  for (const { kind, slug } of rows.slice(0, CATALOGUE_INDEX.texts))
    texts.push(indexedText(await readItem(shop, kind, slug, reader)))
  return { articles: rows.map(cardView), texts }
}

async function seriesOf(shop: Stock, books: readonly IndexedBook[], isComplete: boolean) {
  const named = new Set(allPages(books, ({ series }) => series?.map(({ id }) => id)))
  const summaries = (await allSeries(shop)).filter(({ id }) => isComplete || named.has(id))
  const works = await worksOfSeries(
    shop,
    summaries.map(({ id }) => id),
  )
  return summaries.map(({ id, slug, title, titles, last }) => ({
    id,
    slug,
    title,
    titles,
    last,
    works: (works.get(id) ?? []).map((work) => ({ ...work, chapterSeconds: [...work.chapterSeconds] })),
  }))
}

type Rest = Omit<CatalogueIndex, 'books' | 'texts' | 'complete'>
interface Sized {
  readonly books: readonly IndexedBook[]
  readonly texts: CatalogueIndex['texts']
  readonly isComplete: boolean
  readonly counted: readonly IndexedPerson[]
}

async function within(
  most: number,
  rest: Rest,
  { books, texts, isComplete, counted }: Sized,
): Promise<CatalogueIndex> {
  const bare = books.map(({ summary: _summary, ...book }) => book)
  const common = { ...rest, complete: isComplete }
  const inOrder = [...books.filter(isInWindow), ...books.filter((book) => !isInWindow(book))]
  const firstOf = (count: number): ReadonlySet<number> => new Set(inOrder.slice(0, count).map(({ id }) => id))
  const withSummaries = (count: number): CatalogueIndex => {
    const first = firstOf(count)
    return { ...common, books: books.map((book, place) => (first.has(book.id) ? book : bare[place]!)), texts }
  }
  const withTexts = (count: number): CatalogueIndex => ({
    ...common,
    books: bare,
    texts: texts.slice(0, count),
  })
  const withTitles = (count: number): CatalogueIndex => {
    const first = firstOf(count)
    const some = bare.filter(({ id }) => first.has(id))
    const complete = isComplete && some.length === bare.length
    return {
      ...common,
      complete,
      people: complete ? common.people : [...counted],
      books: some,
      texts: [],
    }
  }
  for (const [count, make] of [
    [books.length, withSummaries],
    [texts.length, withTexts],
    [bare.length, withTitles],
  ] as const) {
    const fitting = await mostThatFits(count, async (some) => (await sizeOf(make(some))) <= most)
    if (fitting !== undefined) return make(fitting)
  }
  return withTitles(0)
}

/** Accurate to a sixteenth of `most`; undefined if even 0 does not fit. */
async function mostThatFits(
  most: number,
  fits: (count: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await fits(most)) return most
  if (!(await fits(0))) return undefined
  let [fitting, tooMany] = [0, most]
  while (tooMany - fitting > Math.max(1, most / 16)) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (await fits(middle)) fitting = middle
    else tooMany = middle
  }
  return fitting
}

const isInWindow = ({ highlighted, edition, featured }: IndexedBook) =>
  highlighted === true || edition === true || featured !== undefined

const compressed = promisify(gzip)
const sizeOf = async (index: CatalogueIndex) => (await compressed(JSON.stringify(index))).length

const allPages = (
  books: readonly IndexedBook[],
  of: (book: IndexedBook) => readonly number[] | undefined,
) => [...new Set(books.flatMap((book) => of(book) ?? []))]
