import { isJoined, type PlanId, PLANS, type Tier } from '#contract/plans.ts'

/** Lower tiers first. */
const ORDER: readonly Tier[] = ['supporter', 'reader', 'avid']

export interface Changing {
  readonly plan: PlanId
  readonly status: string
  readonly canceledAt: Date | null
  /** Somebody gave it: there is no card that a difference could be charged to, and nothing renews. */
  readonly gift: boolean
}

/**
 * When a change of plan takes place (docs/product.md, Memberships): `now` with the difference charged, at the end of the
 * period that is paid for, or when the trial ends. A reason where it cannot be had.
 */
export type Change =
  | { readonly when: 'now' | 'period_end' | 'trial_end' }
  | { readonly refused: 'same_plan' | 'payment_failed' | 'canceled' | 'gift' | 'not_sold' | 'not_running' }

/**
 * More, in the same rhythm: at once. Less, or another rhythm, also together with more: at the end of the period, which is
 * paid for. With a failed payment that is paid first; a cancelled membership is resumed first.
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
