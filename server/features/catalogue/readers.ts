import { LRUCache } from 'lru-cache'
import type { Shop } from '../../shop.ts'
import { creditOf } from '../membership/service.ts'
import { selectOwnedBooks } from './queries.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import type { Db } from '../../db/open.ts'

export interface Marks {
  readonly owned: ReadonlySet<number>
  /** Titles can be claimed. */
  readonly hasCredit: boolean
}

interface KeptMarks extends Marks {
  /** Business time at which a credit starts or expires; null if none does. */
  readonly until: Date | null
}

/** Library entries of all cached accounts: some tens of megabytes. */
const MOST_TITLES = 500_000

/** Triggers on `library_entries` and `credits` notify it with the account's id (migration 0035). */
export const ACCOUNT_CHANGED = 'account_changed'

/** Cached until `NOTIFY` reports a change. */
export class Readers {
  readonly #kept = new LRUCache<string, KeptMarks>({
    maxSize: MOST_TITLES,
    sizeCalculation: ({ owned }) => 10 + owned.size,
  })
  /** The newest read in progress per account. A change removes it, so that its stale result is not cached. */
  readonly #readings = new Map<string, object>()

  async of({ db, clock }: Pick<Shop, 'db' | 'clock'>, userId: string): Promise<Marks> {
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
