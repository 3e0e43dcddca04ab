import type { Plan } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { monthOf, monthsWithin, type Span } from './months.ts'
import { deleteGrantsFrom, type Grant, insertGrants, revokeGrants } from './credit-queries.ts'

export interface Grantee {
  readonly id: string
  readonly userId: string
  readonly plan: Pick<Plan, 'creditsPerMonth'>
  /** The months of credits are counted from this time. */
  readonly anchor: Date
}

/**
 * Grants the free audiobooks of a paid period: a year brings twelve months of them at once, each usable in its own
 * month (docs/product.md, Memberships). So no job has to run on the first of a month, and downtime costs members
 * nothing. Idempotent.
 */
export const grantFor = (tx: Db, to: Grantee, paidFor: Span): Promise<void> =>
  insertGrants(
    tx,
    monthsWithin(to.anchor, paidFor).flatMap((month) => grantsOf(to, month)),
  )

/** A trial grants one month's credits, usable until the trial ends. */
export const grantTrial = (tx: Db, to: Grantee, trial: Span): Promise<void> =>
  insertGrants(tx, grantsOf(to, trial))

/**
 * For an upgrade in the middle of a period. In the current month the member gets the difference between the plans. A
 * month's credits are numbered and granted once, so changing plans back and forth grants nothing more. Later months
 * belong to the new plan alone (docs/product.md, Memberships).
 */
export async function regrant(tx: Db, to: Grantee, paidFor: Span, now: BusinessTime): Promise<void> {
  const running = monthOf(to.anchor, now)
  const from = running.until
  await insertGrants(tx, grantsOf(to, running))
  await deleteGrantsFrom(tx, to.id, from)
  if (from < paidFor.until) await grantFor(tx, to, { from, until: paidFor.until })
}

/** Revokes the unspent credits of a span because its payment was returned. If `at` is null, restores them. */
export const revokeFor = (
  tx: Db,
  subscriptionId: string,
  span: Span,
  at: BusinessTime | null,
): Promise<void> => revokeGrants(tx, subscriptionId, span, at)

const grantsOf = ({ id, userId, plan }: Grantee, { from, until }: Span): Grant[] =>
  Array.from({ length: plan.creditsPerMonth }, (_, ordinal) => ({
    subscriptionId: id,
    userId,
    ordinal,
    usableFrom: from,
    usableUntil: until,
  }))
