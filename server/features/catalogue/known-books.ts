import type { PublicAnswers } from '../../http/response-cache.ts'
import { UntilCatalogueChange } from '../../http/until-catalogue-change.ts'
import type { RelatedEditorial } from './related-editorial.ts'
import { Cards } from './cards.ts'
import { Readers } from './readers.ts'
import type { BookRow } from './queries.ts'

/** Counts of so many filters, pages and relations of as many books take a few megabytes at most. */
const FACTS = 5_000

/** Of 400 kB each at most, for 100,000 titles. */
const LISTS = 20

/** Of some ten kilobytes each. */
const BOOKS = 500

/** A book's page as everybody sees it. */
export interface KnownBook {
  readonly row: BookRow
  readonly related: RelatedEditorial
}

interface Memory {
  readonly counts: UntilCatalogueChange<number>
  readonly pages: UntilCatalogueChange<readonly number[]>
  readonly lists: UntilCatalogueChange<Int32Array>
  /** For each filter, how many of its pages were asked one by one. */
  readonly asked: UntilCatalogueChange<{ pages: number }>
  readonly related: UntilCatalogueChange<readonly number[]>
  readonly cards: Cards
  readonly books: UntilCatalogueChange<KnownBook>
  readonly readers: Readers
}

const memories = new WeakMap<PublicAnswers, Memory>()

/** The shop's memory of its catalogue until that changes; it changes for all who list books at once. */
export function memoryOf(answers: PublicAnswers): Memory {
  const known = memories.get(answers)
  if (known) return known
  const memory = {
    counts: new UntilCatalogueChange<number>(answers, FACTS),
    pages: new UntilCatalogueChange<readonly number[]>(answers, FACTS),
    lists: new UntilCatalogueChange<Int32Array>(answers, LISTS),
    asked: new UntilCatalogueChange<{ pages: number }>(answers, FACTS),
    related: new UntilCatalogueChange<readonly number[]>(answers, FACTS),
    cards: new Cards(answers),
    books: new UntilCatalogueChange<KnownBook>(answers, BOOKS),
    readers: new Readers(),
  }
  memories.set(answers, memory)
  return memory
}
