import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { atMost } from '../../lru.ts'
import type { PublicAnswers } from '../../http/response-cache.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import { selectCards, type CardRow } from './queries.ts'

/** About 2 kB each: the first pages of every list, and whatever else the day's visitors look at. */
const MOST_CARDS = 4_000

/** Lists that come at the same moment ask for their cards together. */
const cardBy = inBatchesOf<Db, number, CardRow | undefined>(
  async (db, ids) => {
    const cards = new Map((await selectCards(db, [...new Set(ids)])).map((card) => [card.id, card]))
    return ids.map((id) => cards.get(id))
  },
  { most: 500, waitingAtMost: 50_000 },
)

/**
 * The content of a book's card, kept until the catalogue changes. A list then asks the database only for the ids on
 * its page and what of them the reader owns, which costs a tenth of the joins behind twelve cards.
 */
export class Cards {
  readonly #kept = new LRUCache<number, CardRow>(atMost(MOST_CARDS))
  readonly #answers: Pick<PublicAnswers, 'generation'>
  #generation = -1

  constructor(answers: Pick<PublicAnswers, 'generation'>) {
    this.#answers = answers
  }

  /** By id, in no order; books that are gone are left out. */
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
      // A card read before a change must not stay after it.
      if (this.#answers.generation === generation) this.#kept.set(card.id, card)
    }
    return cards
  }
}
