import type { PublicAnswers } from '../../http/response-cache.ts'
import { UntilCatalogueChange } from '../../http/until-catalogue-change.ts'
import type { RelatedEditorial } from './related-editorial.ts'
import { Cards } from './cards.ts'
import { Readers } from './readers.ts'
import type { BookRow } from './queries.ts'

/** A few megabytes at most. */
const FACTS = 5_000

/** Each up to 400 kB, for 100,000 titles. */
const LISTS = 20

/** About ten kilobytes each. */
const BOOKS = 500

export interface KnownBook {
  readonly row: BookRow
  readonly related: RelatedEditorial
}

interface Memory {
  readonly counts: UntilCatalogueChange<number>
  readonly pages: UntilCatalogueChange<readonly number[]>
  readonly lists: UntilCatalogueChange<Int32Array>
  /** Per filter: how many pages were queried one by one. */
  readonly asked: UntilCatalogueChange<{ pages: number }>
  readonly related: UntilCatalogueChange<readonly number[]>
  readonly cards: Cards
  readonly books: UntilCatalogueChange<KnownBook>
  readonly readers: Readers
}

const memories = new WeakMap<PublicAnswers, Memory>()

/** All features that list books share it, so that it is cleared for all of them at once. */
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
