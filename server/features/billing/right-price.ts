import { PLANS, type PlanId } from '#contract/plans.ts'
import { membershipPrices, priceKeyOf } from '../../outside/stripe/membership-prices.ts'
import { refused } from '../../wire/refusals.ts'
import type { Shop } from '../../shop.ts'

/** The plans whose price at the provider is missing, or another than ours. */
export async function wrongPrices({ billing }: Pick<Shop, 'billing'>): Promise<string[]> {
  const wanted = membershipPrices()
  const found = await billing.prices.find(wanted.map(({ key }) => key))
  return wanted.flatMap(({ key, name, amountMinor, months }) => {
    const price = found.get(key)
    return price?.amountMinor === amountMinor && price.months === months ? [] : [name]
  })
}

/**
 * The price that is shown is charged: where the provider would charge something else nobody joins, and all else goes
 * on.
 */
export async function refuseWrongPrice({ billing, log }: Shop, plan: PlanId): Promise<void> {
  const key = priceKeyOf(plan)
  const { priceMinor, months, name } = PLANS[plan]
  const price = (await billing.prices.find([key])).get(key)
  if (price?.amountMinor === priceMinor && price.months === months) return
  const there = price ? { amountMinor: price.amountMinor, months: price.months } : null
  log.error({ plan: name, here: priceMinor, there }, `${PRICES_WRONG} ${name}`)
  throw refused('You can’t start this plan at the moment. Please try again later.')
}

/** For the log and for the owner. */
export const PRICES_WRONG =
  'Nobody can join: run npm run payments:set-up, because the provider’s price is missing or another than the shop’s:'
