import type { BusinessTime } from '../../clock.ts'
import { mayChange, statesBefore, SUBSCRIPTION_STATES } from '../../db/state-machines.ts'
import type { Db } from '../../db/open.ts'
import {
  type NewSubscription,
  selectUnended,
  type SubscriptionRow,
  updateSubscriptionRow,
} from './queries.ts'
import { hasEnded } from './entitlement.ts'

export type SubscriptionState = SubscriptionRow['status']

/** False for a change that the provider should never report, such as from cancelled to active. */
export const mayFollow = (before: SubscriptionState, after: SubscriptionState): boolean =>
  mayChange(SUBSCRIPTION_STATES, before, after)

/** The only function that updates a membership. The statement checks the states, so it needs no lock. */
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

/**
 * The slot is a unique index. A newer join takes it from a pending one. The caller has locked the account.
 * @returns false if a membership has the slot
 */
export async function reserveMembership(
  tx: Db,
  { id, userId }: { readonly id: string | null; readonly userId: string },
  now: Date,
): Promise<boolean> {
  const others = (await selectUnended(tx, userId)).filter((row) => !row.gift && row.id !== id)
  if (others.some(({ status }) => status !== 'incomplete')) return false
  for (const other of others) await supersede(tx, other.id, now)
  return true
}

export const supersede = (tx: Db, id: string, supersededAt: BusinessTime): Promise<SubscriptionRow> =>
  changeSubscription(tx, id, { status: 'incomplete_expired', supersededAt })

/** A superseded join stays expired, unless it was paid and no other membership has the slot. */
export async function mayChangeTo(
  tx: Db,
  { id, userId, supersededAt, status: before }: SubscriptionRow,
  status: SubscriptionState,
  now: Date,
): Promise<boolean> {
  if (supersededAt === null && (!hasEnded(before) || hasEnded(status))) return true
  if (userId === null || status === 'incomplete' || hasEnded(status)) return false
  return reserveMembership(tx, { id, userId }, now)
}
