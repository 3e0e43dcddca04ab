import type { PlanId } from '#contract/plans.ts'
import { membershipPrices, priceKeyOf } from '../../integrations/stripe/prices.ts'
import type { Shop } from '../../shop.ts'
import { outdated, refused } from '../../http/http-errors.ts'
import { hasFailedPayment } from './failed-payments.ts'
import { hasEnded } from './entitlement.ts'
import type { SubscriptionRow } from './queries.ts'
import { selectSuperseded } from './billing-queries.ts'
import { settleSuperseded } from './sync-subscription.ts'

export const ALREADY = 'User already has an active subscription'

/**
 * An account can have one membership of its own, and a gift besides. Clients compare these messages, which ERR-01 and
 * ERR-02 define, including the “an payment”.
 */
export function refuseIfMember(running: readonly SubscriptionRow[]): void {
  const own = running.filter(({ gift, status }) => !gift && status !== 'incomplete')
  if (own.some(hasFailedPayment)) throw refused('User already has an payment failed subscription')
  if (own.length > 0) throw refused(ALREADY)
}

export const joinSuperseded = () =>
  outdated('You’ve started joining in another window. Nothing was charged here.')

export const paymentStillChecked = () =>
  outdated('An earlier payment is still being checked. Please try again in a moment.', 5)

/**
 * Makes sure that no earlier join of the account can be paid any more, before the next one is paid. A superseded join
 * whose subscription is still being created is skipped: the request that creates it ends it and does not pay for it.
 *
 * @throws 422 if an earlier join was paid after all
 * @throws 409 if its payment is still pending
 */
export async function refuseWhilePayable(shop: Shop, userId: string): Promise<void> {
  for (const row of await selectSuperseded(shop.db, { userId, after: null, limit: 100 })) {
    if (row.providerId === null) continue
    const after = await settleSuperseded(shop, row, row.providerId)
    if (!hasEnded(after.status)) throw refused(ALREADY)
    if (after.endedAt === null) throw paymentStillChecked()
  }
}

/** Names of the plans whose price at the provider is missing or differs from ours. */
export async function wrongPrices({ billing, config }: Pick<Shop, 'billing' | 'config'>): Promise<string[]> {
  const wanted = membershipPrices(config.details.plans)
  const found = await billing.prices.find(wanted.map(({ key }) => key))
  return wanted.flatMap(({ key, name, amountMinor, months }) => {
    const price = found.get(key)
    return price?.amountMinor === amountMinor && price.months === months ? [] : [name]
  })
}

/** Members are charged the price that the page shows, so a plan whose price differs at the provider can't be joined. */
export async function refuseWrongPrice({ billing, config, log }: Shop, plan: PlanId): Promise<void> {
  const key = priceKeyOf(plan)
  const { priceMinor, months, name } = config.details.plans[plan]
  const price = (await billing.prices.find([key])).get(key)
  if (price?.amountMinor === priceMinor && price.months === months) return
  const there = price ? { amountMinor: price.amountMinor, months: price.months } : null
  log.error({ plan: name, here: priceMinor, there }, `${PRICES_WRONG} ${name}`)
  throw refused('You can’t start this plan at the moment. Please try again later.')
}

/** Logged; the owner sees the same problem in `npm run todo`. */
const PRICES_WRONG =
  'Nobody can join: run npm run payments:set-up, because the provider’s price is missing or another than the shop’s:'
