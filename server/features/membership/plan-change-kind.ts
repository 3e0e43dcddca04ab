import { isJoined, type PlanId, PLANS, type Tier } from '#contract/plans.ts'

/** Lower tiers first. */
const ORDER: readonly Tier[] = ['supporter', 'reader', 'avid']

export interface Changing {
  readonly plan: PlanId
  readonly status: string
  readonly canceledAt: Date | null
  /** A gift has no card to charge the difference to, and does not renew. */
  readonly gift: boolean
}

/**
 * When a change of plan takes effect (docs/product.md, Memberships): `now`, charging the difference, at the end of the
 * paid period, or when the trial ends. Or why it is not possible.
 */
export type Change =
  | { readonly when: 'now' | 'period_end' | 'trial_end' }
  | { readonly refused: 'same_plan' | 'payment_failed' | 'canceled' | 'gift' | 'not_sold' | 'not_running' }

/**
 * A higher tier with the same billing interval starts now. A lower tier or another interval, even with a higher tier,
 * starts at the end of the paid period. A failed payment must be paid first, and a cancelled membership resumed first.
 */
export function changeTo(current: Changing, next: PlanId, plans = PLANS): Change {
  const [present, wanted] = [plans[current.plan], plans[next]]
  if (present.id === wanted.id) return { refused: 'same_plan' }
  if (!isJoined(wanted)) return { refused: 'not_sold' }
  if (current.gift) return { refused: 'gift' }
  if (current.status === 'past_due' || current.status === 'unpaid') return { refused: 'payment_failed' }
  if (current.status !== 'active' && current.status !== 'trialing') return { refused: 'not_running' }
  if (current.canceledAt !== null) return { refused: 'canceled' }
  if (current.status === 'trialing') return { when: 'trial_end' }
  const more = ORDER.indexOf(wanted.tier) > ORDER.indexOf(present.tier)
  return { when: more && present.months === wanted.months ? 'now' : 'period_end' }
}
