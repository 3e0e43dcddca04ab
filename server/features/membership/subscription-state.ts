import type { Db } from '../../db/open.ts'
import {
  insertSubscriptionRow,
  lockSubscriptionRow,
  type NewSubscription,
  selectRunning,
  type SubscriptionRow,
  updateCheckedAt,
  updateSubscriptionRow,
} from './queries.ts'

export type SubscriptionState = SubscriptionRow['status']

/** The provider moves freely between the last five, and we do not see every step. */
const NOT_CANCELED = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
] as const

/**
 * The states that each state may follow; a settlement that changes nothing writes the same one again. A join that was
 * given up begins nevertheless where it was paid after all.
 */
const MAY_FOLLOW: Record<SubscriptionState, readonly SubscriptionState[]> = {
  /** No other state goes back to `incomplete`. */
  incomplete: ['incomplete'],
  /** Only a join that was never paid can expire. */
  incomplete_expired: ['incomplete', 'incomplete_expired'],
  trialing: NOT_CANCELED,
  active: NOT_CANCELED,
  past_due: NOT_CANCELED,
  unpaid: NOT_CANCELED,
  paused: NOT_CANCELED,
  /** For good: no state follows it. */
  canceled: [...NOT_CANCELED, 'canceled'],
}

/** False for what no provider should say of a membership, as that a cancelled one runs. */
export const mayFollow = (before: SubscriptionState, after: SubscriptionState): boolean =>
  MAY_FOLLOW[after].includes(before)

export const isOver = (state: SubscriptionState): boolean =>
  state === 'canceled' || state === 'incomplete_expired'

/**
 * The one way to change a membership, its state or anything else of it: nobody but the demo's import writes the table beside it. The
 * statement itself compares the states, so that it refuses without a lock too.
 *
 * @throws where the state may not follow the one that the membership is in
 */
export async function changeSubscription(
  db: Db,
  id: string,
  change: Partial<NewSubscription>,
): Promise<SubscriptionRow> {
  const { status } = change
  const row = await updateSubscriptionRow(db, id, change, status === undefined ? null : MAY_FOLLOW[status])
  if (!row) throw new Error(`Membership ${id} cannot become ${status ?? 'anything else'}`)
  return row
}

export const insertSubscription = (db: Db, row: NewSubscription): Promise<SubscriptionRow> =>
  insertSubscriptionRow(db, row)

/** Until the transaction ends nobody else changes it. */
export const lockSubscription = (tx: Db, id: string): Promise<SubscriptionRow | undefined> =>
  lockSubscriptionRow(tx, id)

/** The provider was asked about it, whatever came of it. */
export const noteChecked = (db: Db, id: string): Promise<void> => updateCheckedAt(db, id)

/** An account's memberships that are not over, newest first; gifts and free ones are among them. */
export const runningOf = (db: Db, userId: string): Promise<SubscriptionRow[]> => selectRunning(db, userId)

/**
 * An account has one place for a membership of its own. A join takes it in the database before it asks the provider,
 * so that of all that begin at one moment one alone is paid; a newer join takes it from one that waits. A membership
 * that was given runs beside it. For who has locked the account.
 *
 * @returns false where a membership has it
 */
export async function reserveMembership(
  tx: Db,
  { id, userId }: { readonly id: string | null; readonly userId: string },
  now: Date,
): Promise<boolean> {
  const others = (await selectRunning(tx, userId)).filter((row) => !row.gift && row.id !== id)
  if (others.some(({ status }) => status !== 'incomplete')) return false
  for (const other of others) await supersede(tx, other.id, now)
  return true
}

/** A join that waits loses its place to another. */
export const supersede = (tx: Db, id: string, supersededAt: Date): Promise<SubscriptionRow> =>
  changeSubscription(tx, id, { status: 'incomplete_expired', supersededAt })

/**
 * Decides if a membership may become here what it is at the provider. A superseded join stays expired, unless it was
 * paid and nothing else runs. For who has locked the account.
 */
export async function mayChangeTo(
  tx: Db,
  { id, userId, supersededAt, status: before }: SubscriptionRow,
  status: SubscriptionState,
  now: Date,
): Promise<boolean> {
  if (supersededAt === null && (!isOver(before) || isOver(status))) return true
  if (userId === null || status === 'incomplete' || isOver(status)) return false
  return reserveMembership(tx, { id, userId }, now)
}
