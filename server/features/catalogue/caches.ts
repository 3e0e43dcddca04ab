import type { PublicAnswers } from '../../http/response-cache.ts'
import { UntilCatalogueChange } from '../../http/until-catalogue-change.ts'
import type { RelatedEditorial } from './serializers.ts'
import { type BookRow, selectCards, type CardRow, selectOwnedBooks } from './queries.ts'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { atMost } from '../../lru.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import type { Shop } from '../../shop.ts'
import { creditOf } from '../membership/service.ts'

/** A few megabytes at most. */
const MOST_FACTS = 5_000

/** Each up to 400 kB, for 100,000 titles. */
const MOST_LISTS = 20

/** About ten kilobytes each. */
const MOST_BOOKS = 500

export interface KnownBook {
  readonly row: BookRow
  readonly related: RelatedEditorial
}

interface CatalogueCaches {
  readonly counts: UntilCatalogueChange<number>
  readonly pages: UntilCatalogueChange<readonly number[]>
  readonly lists: UntilCatalogueChange<Int32Array>
  /** Per filter: how many pages were queried one by one. */
  readonly asked: UntilCatalogueChange<{ pages: number }>
  readonly related: UntilCatalogueChange<readonly number[]>
  readonly cards: CardCache
  readonly books: UntilCatalogueChange<KnownBook>
  readonly readers: ReaderCache
}

const cachesByAnswers = new WeakMap<PublicAnswers, CatalogueCaches>()

/** All features that list books share it, so that it is cleared for all of them at once. */
export function catalogueCaches(answers: PublicAnswers): CatalogueCaches {
  const known = cachesByAnswers.get(answers)
  if (known) return known
  const memory = {
    counts: new UntilCatalogueChange<number>(answers, MOST_FACTS),
    pages: new UntilCatalogueChange<readonly number[]>(answers, MOST_FACTS),
    lists: new UntilCatalogueChange<Int32Array>(answers, MOST_LISTS),
    asked: new UntilCatalogueChange<{ pages: number }>(answers, MOST_FACTS),
    related: new UntilCatalogueChange<readonly number[]>(answers, MOST_FACTS),
    cards: new CardCache(answers),
    books: new UntilCatalogueChange<KnownBook>(answers, MOST_BOOKS),
    readers: new ReaderCache(),
  }
  cachesByAnswers.set(answers, memory)
  return memory
}

/** About 2 kB each: the first pages of every list, and the titles that visitors open in a day. */
const MOST_CARDS = 4_000

const cardBy = inBatchesOf<Db, number, CardRow | undefined>(
  async (db, ids) => {
    const cards = new Map((await selectCards(db, [...new Set(ids)])).map((card) => [card.id, card]))
    return ids.map((id) => cards.get(id))
  },
  { most: 500, waitingAtMost: 50_000 },
)

/**
 * Caches the content of book cards until the catalogue changes. A list then queries only the ids on its page and
 * which of them the reader owns, which costs a tenth of the joins for twelve cards.
 */
class CardCache {
  readonly #kept = new LRUCache<number, CardRow>(atMost(MOST_CARDS))
  readonly #answers: Pick<PublicAnswers, 'generation'>
  #generation = -1

  constructor(answers: Pick<PublicAnswers, 'generation'>) {
    this.#answers = answers
  }

  /** Deleted books are left out. */
  async of(db: Db, bookIds: readonly number[]): Promise<Map<number, CardRow>> {
    const generation = this.#answers.generation
    if (this.#generation !== generation) {
      this.#kept.clear()
      this.#generation = generation
    }
    const cards = new Map<number, CardRow>()
    const missing: number[] = []
    for (const id of bookIds) {
      const card = this.#kept.get(id)
      if (card) cards.set(id, card)
      else missing.push(id)
    }
    if (missing.length === 0) return cards
    for (const card of await Promise.all(missing.map((id) => cardBy(db, id)))) {
      if (!card) continue
      cards.set(card.id, card)
      // Not if the catalogue has changed since the read.
      if (this.#answers.generation === generation) this.#kept.set(card.id, card)
    }
    return cards
  }
}

interface ReaderMarks {
  readonly owned: ReadonlySet<number>
  /** Titles can be claimed. */
  readonly hasCredit: boolean
}

interface KeptMarks extends ReaderMarks {
  /** Business time at which a credit starts or expires; null if none does. */
  readonly until: Date | null
}

/** Library entries of all cached accounts: some tens of megabytes. */
const MOST_TITLES = 500_000

/** Triggers on `library_entries` and `credits` notify it with the account's id (migration 0035). */
export const ACCOUNT_CHANGED = 'account_changed'

/** Cached until `NOTIFY` reports a change. */
export class ReaderCache {
  readonly #kept = new LRUCache<string, KeptMarks>({
    maxSize: MOST_TITLES,
    sizeCalculation: ({ owned }) => 10 + owned.size,
  })
  /** The newest read in progress per account. A change removes it, so that its stale result is not cached. */
  readonly #readings = new Map<string, object>()

  async of({ db, clock }: Pick<Shop, 'db' | 'clock'>, userId: string): Promise<ReaderMarks> {
    const now = clock.now()
    const known = this.#kept.get(userId)
    if (known && (known.until === null || known.until > now)) return known
    const reading = {}
    this.#readings.set(userId, reading)
    const isNewest = () => this.#readings.get(userId) === reading
    try {
      const [owned, credit] = await Promise.all([ownedBy(db, userId), creditOf(db, userId, now)])
      const marks = { owned, ...credit }
      if (isNewest()) this.#kept.set(userId, marks)
      return marks
    } finally {
      if (isNewest()) this.#readings.delete(userId)
    }
  }

  forget(userId: string): void {
    this.#readings.delete(userId)
    this.#kept.delete(userId)
  }

  /** Call when notifications may have been missed. */
  forgetAll(): void {
    this.#readings.clear()
    this.#kept.clear()
  }
}

const ownedBy = inBatchesOf<Db, string, ReadonlySet<number>>(selectOwnedBooks, {
  most: 500,
  waitingAtMost: 10_000,
})
