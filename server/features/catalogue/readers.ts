import { LRUCache } from 'lru-cache'
import type { Shop } from '../../shop.ts'
import { creditOf } from '../membership/service.ts'
import { selectOwnedBooks } from './queries.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import type { Db } from '../../db/open.ts'

/** What marks an account's books in every list. */
export interface Marks {
  /** Ids of the books in its library. */
  readonly owned: ReadonlySet<number>
  /** True if a title can be claimed. */
  readonly hasCredit: boolean
}

interface KeptMarks extends Marks {
  /** Business time at which a credit begins or lapses; null where none does. */
  readonly until: Date | null
}

/** Titles in all libraries that are kept: some tens of megabytes, as many of an account's as it has. */
const MOST_TITLES = 500_000

/** Every row of `library_entries` and `credits` that changes sends its account here (migration 0035). */
export const ACCOUNT_CHANGED = 'account_changed'

/** The marks of accounts, kept until `NOTIFY` says that they changed. */
export class Readers {
  readonly #kept = new LRUCache<string, KeptMarks>({
    maxSize: MOST_TITLES,
    sizeCalculation: ({ owned }) => 10 + owned.size,
  })
  /** The newest reading of each account that is under way; a change drops it, so that what it reads is not kept. */
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

  /** After messages may have been missed. */
  forgetAll(): void {
    this.#readings.clear()
    this.#kept.clear()
  }
}

const ownedBy = inBatchesOf<Db, string, ReadonlySet<number>>(selectOwnedBooks, {
  most: 500,
  waitingAtMost: 10_000,
})
