import { isJoined, type Plan, type PlanId, PLANS } from '#contract/plans.ts'
import type { WantedPrice } from './prices.ts'

export const priceKeyOf = (plan: PlanId): string => `plan_${plan}`

export function planOfKey(key: string): PlanId | null {
  const plan = RENEWED.find(({ id }) => priceKeyOf(id) === key)
  return plan ? plan.id : null
}

/** Six months are only sold as a gift, which never renews. */
const RENEWED = Object.values(PLANS).filter(({ monthly, yearly }) => monthly || yearly)

/** Prices that the provider must have for these plans. Prices of plans that are no longer sold stay there. */
export const membershipPrices = (plans = PLANS): readonly WantedPrice[] =>
  pricesOf(Object.values(plans).filter(isJoined))

export const pricesOf = (plans: readonly Plan[]): readonly WantedPrice[] =>
  plans
    .filter(({ months }) => months !== 6)
    .map(({ id, name, priceMinor, months }) => ({
      key: priceKeyOf(id),
      name,
      amountMinor: priceMinor,
      months,
    }))
