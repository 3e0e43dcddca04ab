import { createHmac, hkdfSync } from 'node:crypto'
import type { PlanId } from '#contract/plans.ts'
import { membershipPrices, priceKeyOf } from '../../outside/stripe/membership-prices.ts'
import type { SetUp } from '../../outside/stripe/set-ups.ts'
import type { Config } from '../../settings/config.ts'
import type { Shop } from '../../shop.ts'
import { outdated, refused } from '../../wire/refusals.ts'
import { hasFailedPayment, isOver, lockAccount, type SubscriptionRow } from '../membership/rules.ts'
import { hadTrial, insertTrials, selectReservation, selectSuperseded } from './rows.ts'
import { settleSuperseded } from './settle.ts'

export const TRIAL_USED = 'You’ve already had a free trial.'

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

/**
 * A hash that stands for an account, a card or a PayPal payer in the list of those who had a trial: never the thing
 * itself. Made with the key that is never changed, since the list has to hold for years.
 */
export const trialHash = (
  { codeKey }: Pick<Config, 'codeKey'>,
  of: 'account' | 'method',
  value: string,
): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', codeKey, '', 'murmur trials', 32)))
    .update(`${of}:${value}`)
    .digest('base64url')

class TrialUsed extends Error {}

/**
 * Once for an account, and once for a card or PayPal payer; noted before it begins, so that two cannot both be the
 * first. The one who was not first has nothing noted, and may try with another card.
 */
export const isFirstTrial = (shop: Shop, row: SubscriptionRow, { method }: SetUp): Promise<boolean> =>
  shop.db
    .transaction(async (tx) => {
      const userId = row.userId!
      await lockAccount(tx, userId)
      const hashes = [
        trialHash(shop.config, 'account', userId),
        ...(method?.fingerprint ? [trialHash(shop.config, 'method', method.fingerprint)] : []),
      ]
      if (await hadTrial(tx, hashes, row.id)) throw new TrialUsed()
      await insertTrials(tx, hashes, row.id, shop.clock.now())
      // Somebody else's trial with this card may have been noted in the same moment.
      if (await hadTrial(tx, hashes, row.id)) throw new TrialUsed()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof TrialUsed) return false
      throw error
    })

/** The notice, or another tab, came first and ended it: whoever asks afterwards gets the same answer. */
export async function wasRefusedTrial(shop: Shop, id: string | null, { method }: SetUp): Promise<boolean> {
  const row = id === null ? undefined : await selectReservation(shop.db, id)
  const hashes = method?.fingerprint ? [trialHash(shop.config, 'method', method.fingerprint)] : []
  return row?.trialEndsAt != null && (await hadTrial(shop.db, hashes, row.id))
}
