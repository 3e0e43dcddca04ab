import type { PlanId } from '#contract/plans.ts'
import { membershipPrices, priceKeyOf } from '../../integrations/stripe/membership-prices.ts'
import type { Shop } from '../../shop.ts'
import { outdated, refused } from '../../http/http-errors.ts'
import { hasFailedPayment } from './entitlement.ts'
import { isOver } from './subscription-state.ts'
import { type SubscriptionRow } from './queries.ts'
import { selectSuperseded } from './billing-queries.ts'
import { settleSuperseded } from './sync-subscription.ts'

export const ALREADY = 'User already has an active subscription'

/**
 * An account has one membership of its own. A membership that was given may run beside. The client looks for these
 * words, which ERR-01 and ERR-02 give, “an payment” too.
 */
export function refuseIfMember(running: readonly SubscriptionRow[]): void {
  const own = running.filter(({ gift, status }) => !gift && status !== 'incomplete')
  if (own.some(hasFailedPayment)) throw refused('User already has an payment failed subscription')
  if (own.length > 0) throw refused(ALREADY)
}

/** Another join of the account took the place of this one before it was paid. */
export const joinSuperseded = () =>
  outdated('You’ve started joining in another window. Nothing was charged here.')

export const paymentStillChecked = () =>
  outdated('An earlier payment is still being checked. Please try again in a moment.', 5)

/**
 * Before an account's next join is paid, nobody can pay the ones before it any more. One whose subscription is only being made
 * is ended by whoever makes it, who does not pay for it.
 */
export async function refuseWhilePayable(shop: Shop, userId: string): Promise<void> {
  for (const row of await selectSuperseded(shop.db, { userId, after: null, limit: 100 })) {
    if (row.providerId === null) continue
    const after = await settleSuperseded(shop, row, row.providerId)
    if (!isOver(after.status)) throw refused(ALREADY)
    if (after.endedAt === null) throw paymentStillChecked()
  }
}

/** The plans whose price at the provider is missing, or another than ours. */
export async function wrongPrices({ billing, config }: Pick<Shop, 'billing' | 'config'>): Promise<string[]> {
  const wanted = membershipPrices(config.details.plans)
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
export async function refuseWrongPrice({ billing, config, log }: Shop, plan: PlanId): Promise<void> {
  const key = priceKeyOf(plan)
  const { priceMinor, months, name } = config.details.plans[plan]
  const price = (await billing.prices.find([key])).get(key)
  if (price?.amountMinor === priceMinor && price.months === months) return
  const there = price ? { amountMinor: price.amountMinor, months: price.months } : null
  log.error({ plan: name, here: priceMinor, there }, `${PRICES_WRONG} ${name}`)
  throw refused('You can’t start this plan at the moment. Please try again later.')
}

/** For the log; the owner reads it in the list of what needs a person. */
const PRICES_WRONG =
  'Nobody can join: run npm run payments:set-up, because the provider’s price is missing or another than the shop’s:'
