import type { PlanId } from '#contract/plans.ts'
import type { SubscriptionRow } from './queries.ts'

export interface Planned {
  readonly plan: PlanId
  readonly at: Date
}

export const plannedOf = ({ pendingPlan, pendingAt }: SubscriptionRow): Planned | null =>
  pendingPlan === null || pendingAt === null ? null : { plan: pendingPlan, at: pendingAt }

/**
 * A planned change that something else ended, as long as it can still be chosen again (docs/product.md, Memberships).
 */
export const droppedOf = (
  { plan, pendingPlan, droppedPlan, droppedAt }: SubscriptionRow,
  now: Date,
): Planned | null =>
  pendingPlan !== null ||
  droppedPlan === null ||
  droppedPlan === plan ||
  droppedAt === null ||
  droppedAt <= now
    ? null
    : { plan: droppedPlan, at: droppedAt }
