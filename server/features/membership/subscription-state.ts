import type { BusinessTime } from '../../clock.ts'
import { mayChange, type StateMachine, statesBefore } from '../../db/state-machine.ts'
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

/** The provider moves freely between these, and we may miss steps in between. */
const STARTED = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** An expired join may still become active, if it was paid after all. */
export const SUBSCRIPTION_STATES: StateMachine<SubscriptionState> = {
  table: 'subscriptions',
  column: 'status',
  next: {
    /** Only a join that was never paid can expire. */
    incomplete: [...STARTED, 'incomplete_expired', 'canceled'],
    incomplete_expired: [...STARTED, 'canceled'],
    trialing: ['active', 'past_due', 'unpaid', 'paused', 'canceled'],
    active: ['trialing', 'past_due', 'unpaid', 'paused', 'canceled'],
    past_due: ['trialing', 'active', 'unpaid', 'paused', 'canceled'],
    unpaid: ['trialing', 'active', 'past_due', 'paused', 'canceled'],
    paused: ['trialing', 'active', 'past_due', 'unpaid', 'canceled'],
    canceled: [],
  },
}

/** False for a change that the provider should never report, such as from cancelled to active. */
export const mayFollow = (before: SubscriptionState, after: SubscriptionState): boolean =>
  mayChange(SUBSCRIPTION_STATES, before, after)

export const isOver = (state: SubscriptionState): boolean =>
  state === 'canceled' || state === 'incomplete_expired'

/**
 * The only function that updates a membership, apart from the demo's import. The update statement itself checks the
 * states, so it is safe without a lock too.
 *
 * @throws if the new state may not follow the current one
 */
export async function changeSubscription(
  db: Db,
  id: string,
  change: Partial<NewSubscription>,
): Promise<SubscriptionRow> {
  const { status } = change
  const row = await updateSubscriptionRow(
    db,
    id,
    change,
    status === undefined ? null : [status, ...statesBefore(SUBSCRIPTION_STATES, status)],
  )
  if (!row) throw new Error(`Membership ${id} cannot become ${status ?? 'anything else'}`)
  return row
}

export const insertSubscription = (db: Db, row: NewSubscription): Promise<SubscriptionRow> =>
  insertSubscriptionRow(db, row)

export const lockSubscription = (tx: Db, id: string): Promise<SubscriptionRow | undefined> =>
  lockSubscriptionRow(tx, id)

/** Records that the provider was queried, whether it succeeded or not. */
export const noteChecked = (db: Db, id: string): Promise<void> => updateCheckedAt(db, id)

export const runningOf = (db: Db, userId: string): Promise<SubscriptionRow[]> => selectRunning(db, userId)

/**
 * An account has one slot for a membership of its own (a unique index). A join takes the slot before the provider is
 * called, so that only one of several concurrent joins is paid; a newer join takes it from a pending one. A gift runs
 * without it. The caller has locked the account.
 *
 * @returns false if a membership has the slot
 */
export async function reserveMembership(
  tx: Db,
  { id, userId }: { readonly id: string | null; readonly userId: string },
  now: BusinessTime,
): Promise<boolean> {
  const others = (await selectRunning(tx, userId)).filter((row) => !row.gift && row.id !== id)
  if (others.some(({ status }) => status !== 'incomplete')) return false
  for (const other of others) await supersede(tx, other.id, now)
  return true
}

export const supersede = (tx: Db, id: string, supersededAt: BusinessTime): Promise<SubscriptionRow> =>
  changeSubscription(tx, id, { status: 'incomplete_expired', supersededAt })

/**
 * Decides whether a membership may take the state that the provider reports. A superseded join stays expired, unless it
 * was paid and no other membership has the slot. The caller has locked the account.
 */
export async function mayChangeTo(
  tx: Db,
  { id, userId, supersededAt, status: before }: SubscriptionRow,
  status: SubscriptionState,
  now: BusinessTime,
): Promise<boolean> {
  if (supersededAt === null && (!isOver(before) || isOver(status))) return true
  if (userId === null || status === 'incomplete' || isOver(status)) return false
  return reserveMembership(tx, { id, userId }, now)
}
