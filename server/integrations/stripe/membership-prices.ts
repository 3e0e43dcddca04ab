import { isJoined, type Plan, type PlanId, PLANS } from '#contract/plans.ts'
import type { WantedPrice } from './prices.ts'

/** The key under which the provider knows what a plan costs. */
export const priceKeyOf = (plan: PlanId): string => `plan_${plan}`

/** Null for a key that is none of ours. */
export function planOfKey(key: string): PlanId | null {
  const plan = RENEWED.find(({ id }) => priceKeyOf(id) === key)
  return plan ? plan.id : null
}

/** Six months are only given as a gift, which never renews. */
const RENEWED = Object.values(PLANS).filter(({ monthly, yearly }) => monthly || yearly)

/** The prices that the provider has to have for these plans. Those of a plan that is sold no more stay there. */
export const membershipPrices = (plans = PLANS): readonly WantedPrice[] =>
  pricesOf(Object.values(plans).filter(isJoined))

/** The same for whichever plans these are. */
export const pricesOf = (plans: readonly Plan[]): readonly WantedPrice[] =>
  plans
    .filter(({ months }) => months !== 6)
    .map(({ id, name, priceMinor, months }) => ({
      key: priceKeyOf(id),
      name,
      amountMinor: priceMinor,
      months,
    }))
