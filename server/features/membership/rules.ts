import type { Tier } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { inBatchesOf } from '../../in-batches.ts'
import {
  countPaidForOthers,
  countUsableCredits,
  selectCreditHolders,
  selectSubscriptions,
  spendOneCredit,
  type SubscriptionRow,
} from './rows.ts'
import { holds, planOf } from './standing.ts'

export interface Benefits {
  /** The membership whose benefits hold now, or null. */
  readonly current: SubscriptionRow | null
  readonly subscriptions: readonly SubscriptionRow[]
  readonly hasCredit: boolean
}

/** What an account's memberships give it now. Credits belong to the account: they outlive a membership (OP-15). */
export async function benefitsOf(db: Db, userId: string, now: Date): Promise<Benefits> {
  const [subscriptions, usable] = await Promise.all([
    selectSubscriptions(db, userId),
    countUsableCredits(db, userId, now),
  ])
  return {
    current: subscriptions.find((row) => holds(row, now)) ?? null,
    subscriptions,
    hasCredit: usable > 0,
  }
}

/** Whether an account can claim a title now. Every list that a listener asks for asks this too. */
export const hasCredit = (db: Db, userId: string, now: Date): Promise<boolean> =>
  creditOf(db, { userId, now })

const creditOf = inBatchesOf(
  async (db: Db, asked: readonly { userId: string; now: Date }[]): Promise<boolean[]> => {
    const holders = await selectCreditHolders(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    )
    return asked.map(({ userId }) => holders.has(userId))
  },
  { most: 500, waitingAtMost: 10_000 },
)

/** The tier whose benefits hold now; null for a visitor and for somebody without a membership. */
export async function tierOf(db: Db, userId: string | null, now: Date): Promise<Tier | null> {
  if (userId === null) return null
  const current = (await selectSubscriptions(db, userId)).find((row) => holds(row, now))
  return current ? (planOf(current)?.tier ?? null) : null
}

/** Spends one usable credit of an account on a title, atomically (OP-15); false where it has none. */
export const spendCredit = (db: Db, userId: string, bookId: number, now: Date): Promise<boolean> =>
  spendOneCredit(db, userId, bookId, now)

/** How many memberships an account gave to others and paid for (ENT-08). */
export const paysForOthers = (db: Db, userId: string): Promise<number> => countPaidForOthers(db, userId)
