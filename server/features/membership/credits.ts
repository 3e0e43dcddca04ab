import type { Plan } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { monthOf, monthsWithin, type Span } from './months.ts'
import { deleteGrantsFrom, type Grant, insertGrants, revokeGrants } from './credit-queries.ts'

/** The membership that credits are granted to. */
export interface Grantee {
  readonly id: string
  readonly userId: string
  readonly plan: Pick<Plan, 'creditsPerMonth'>
  /** Months are counted from here. */
  readonly anchor: Date
}

/**
 * Free audiobooks come by the month, and are granted when the period is paid: a year brings twelve months of them, each
 * usable in its own month (docs/product.md, Memberships). So nothing has to wake up for them, and a server that slept
 * through the first of the month owes nobody anything. Safe to repeat.
 */
export const grantFor = (tx: Db, to: Grantee, paidFor: Span): Promise<void> =>
  insertGrants(
    tx,
    monthsWithin(to.anchor, paidFor).flatMap((month) => grantsOf(to, month)),
  )

/** A trial grants once, until its end, however long its month is. */
export const grantTrial = (tx: Db, to: Grantee, trial: Span): Promise<void> =>
  insertGrants(tx, grantsOf(to, trial))

/**
 * An upgrade in the middle of a period: the running month gets what the new plan brings beyond what it has, so once, whatever
 * goes up and down; later months are the new plan's alone (docs/product.md, Memberships).
 */
export async function regrant(tx: Db, to: Grantee, paidFor: Span, now: Date): Promise<void> {
  const running = monthOf(to.anchor, now)
  const from = running.until
  await insertGrants(tx, grantsOf(to, running))
  await deleteGrantsFrom(tx, to.id, from)
  if (from < paidFor.until) await grantFor(tx, to, { from, until: paidFor.until })
}

/** Money came back: what is not spent of a span cannot be taken any more. Null for `at` gives it back. */
export const revokeFor = (tx: Db, subscriptionId: string, span: Span, at: Date | null): Promise<void> =>
  revokeGrants(tx, subscriptionId, span, at)

const grantsOf = ({ id, userId, plan }: Grantee, { from, until }: Span): Grant[] =>
  Array.from({ length: plan.creditsPerMonth }, (_, ordinal) => ({
    subscriptionId: id,
    userId,
    ordinal,
    usableFrom: from,
    usableUntil: until,
  }))
