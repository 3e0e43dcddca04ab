import { isJoined, type Plan, type PlanId, PLANS, planInWords } from '#contract/plans.ts'
import { priceKeyOf, membershipPrices } from '../../integrations/stripe/prices.ts'
import { ConcurrentRequest, NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { Discount, Subscription } from '../../integrations/stripe/subscriptions.ts'
import type { Shop } from '../../shop.ts'
import {
  outdated,
  refused,
  unprocessable,
  notFound,
  refusedCode,
  totalChanged,
} from '../../http/http-errors.ts'
import { resolveCode, lookUpCode, reserveUse } from '../discounts/service.ts'
import type { DiscountRow } from '../discounts/queries.ts'
import { changeSubscription, reserveMembership, supersede } from './subscription-state.ts'
import { hasEnded } from './entitlement.ts'
import { daysAfter, monthsAfter } from './months.ts'
import {
  type SubscriptionRow,
  lockAccount,
  insertSubscription,
  lockSubscription,
  selectUnended,
  selectMember,
  insertInvoice,
} from './queries.ts'
import {
  paymentStillChecked,
  recordRefusedAttempt,
  recordUnansweredAttempt,
} from '../orders/payment-attempts.ts'
import { calculatePrices, ratesAt, vatPercentOf } from '../prices/pricing.ts'
import { storeSecret, attachMethod, invalidMethod, payWith, ensureCustomer } from './payment-methods.ts'
import { needsBuyer } from './provider-state.ts'
import { hadTrial, selectReservation, selectSuperseded, insertTrials } from './billing-queries.ts'
import { syncSubscription, syncSupersededJoin } from './sync-subscription.ts'
import { TRIAL_USED, trialHash } from './trials.ts'
import { hasFailedPayment } from './failed-payments.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { publish } from '../feed/service.ts'
import { grantFor } from './credits.ts'
import { WITHDRAW_DAYS } from './withdrawal-amounts.ts'
import { oneLineBasket, createOrder, recordPaid } from '../orders/service.ts'

export interface Joining {
  readonly userId: string
  readonly plan: PlanId
  readonly code: string | null
  readonly trial: boolean
  /** The total that the page shows, in pence; undefined skips the check. */
  readonly shownMinor: number | undefined
  readonly startNow: boolean
  /** A `pm_…` that the browser created. Without it the browser confirms with the client secret. */
  readonly method?: string | null
  /** Save the card for the account's other purchases, once it has paid or been stored. */
  readonly savesCard?: boolean
  /** The bag to pay for afterwards with the same card. */
  readonly cartId?: string | null
}

interface Joined {
  readonly row: SubscriptionRow
  readonly clientSecret: string | null
  readonly amountMinor: number
}

/**
 * The row takes the account's slot first, so that repeating a failed join finds the same subscription.
 * @throws 409 if the total has changed, another join replaced this one, or an earlier payment is still pending
 * @throws 422 if the account, plan, code or payment method does not allow it
 */
export async function join(shop: Shop, joining: Joining): Promise<Joined> {
  const plan = shop.config.details.plans[joining.plan]
  if (!isJoined(plan))
    throw unprocessable(
      'plan',
      plan.sold
        ? 'This plan can only be given.'
        : 'This plan isn’t sold any more. Please choose another one.',
    )
  const discount = await discountOf(shop, joining)
  const amountMinor = joining.trial ? 0 : priceWith(plan, discount)
  if (joining.shownMinor !== undefined && joining.shownMinor !== amountMinor) throw totalChanged()
  const free = discount && amountMinor === 0 && !joining.trial ? discount : null
  if (!free) await refuseWrongPrice(shop, joining.plan)
  // The second round is for a subscription that the provider has expired because it was not paid for a day.
  for (let round = 0; round < 2; round += 1) {
    const row = await reserve(shop, joining, { discount, free })
    await refuseWhilePayable(shop, joining.userId)
    if (free) {
      const begun = await startPaidByCode(shop, { id: row.id, userId: joining.userId }, free)
      return { row: begun, clientSecret: null, amountMinor }
    }
    const joined = await joinAtProvider(shop, row, joining, discount)
    if (joined) return { ...joined, amountMinor }
  }
  throw notStarted()
}

export async function joinFree(
  shop: Shop,
  joining: Omit<Joining, 'trial' | 'shownMinor'>,
): Promise<SubscriptionRow> {
  const discount = await discountOf(shop, joining)
  if (discount === null || priceWith(shop.config.details.plans[joining.plan], discount) > 0)
    throw unprocessable('couponCode', 'There’s still something to pay.')
  return (await join(shop, { ...joining, trial: false, shownMinor: undefined })).row
}

async function discountOf(
  { db, now, clock, config }: Shop,
  { userId, plan, code }: Pick<Joining, 'userId' | 'plan' | 'code'>,
): Promise<DiscountRow | null> {
  if (code === null) return null
  const { priceMinor: originalMinor } = config.details.plans[plan]
  const lines = [{ sold: { kind: 'membership' as const, plan }, originalMinor }]
  const resolved = await lookUpCode(
    db,
    { who: userId, now: now() },
    () => resolveCode(db, code, { userId, lines, source: userId, now: clock.now() }),
    (found) => 'refused' in found && found.refused === 'discount_not_valid',
  )
  if ('refused' in resolved) throw refusedCode(resolved.refused)
  return resolved.row
}

function priceWith({ id: plan, priceMinor }: Plan, discount: DiscountRow | null): number {
  if (discount === null) return priceMinor
  const { percent, amountMinor } = discount
  const line = { sold: { kind: 'membership' as const, plan }, originalMinor: priceMinor }
  return calculatePrices([line], { of: 'each', covers: () => true, percent, amountMinor }).totalMinor
}

const reserve = (
  shop: Shop,
  joining: Joining,
  { discount, free }: { readonly discount: DiscountRow | null; readonly free: DiscountRow | null },
): Promise<SubscriptionRow> =>
  shop.db.transaction(async (tx) => {
    const { userId } = joining
    const { priceMinor } = shop.config.details.plans[joining.plan]
    await lockAccount(tx, userId)
    const running = await selectUnended(tx, userId)
    refuseIfMember(running)
    if (!joining.startNow)
      throw unprocessable('startNow', 'Please agree that your membership starts straight away.')
    if (joining.trial && (await hadTrial(tx, [trialHash(shop.config, 'account', userId)], null)))
      throw refused(TRIAL_USED)
    if (free) await refuseUsed(tx, shop, { userId, code: free.code })
    const same = running.find(
      (row) =>
        row.status === 'incomplete' &&
        row.plan === joining.plan &&
        row.couponCode === (discount?.code ?? null) &&
        // The provider would charge the price that the pending join was created with.
        (row.priceMinor ?? priceMinor) === priceMinor &&
        (row.trialEndsAt !== null) === joining.trial,
    )
    const now = shop.clock.now()
    await reserveMembership(tx, { id: same?.id ?? null, userId }, now)
    const couponReservedUntil = discount && (await reserveUse(tx, discount.code, { source: userId, now }))
    return same
      ? changeSubscription(tx, same.id, {
          couponReservedUntil,
          savesCard: joining.savesCard ?? false,
          cartId: joining.cartId ?? null,
        })
      : insertSubscription(tx, { ...newRow(shop, joining, discount), couponReservedUntil })
  })

function newRow(
  { clock, config }: Shop,
  { userId, plan, trial, savesCard, cartId }: Joining,
  discount: DiscountRow | null,
) {
  const at = clock.now()
  const end = trial ? daysAfter(at, config.details.trial.days) : at
  return {
    userId,
    plan,
    status: 'incomplete' as const,
    priceMinor: config.details.plans[plan].priceMinor,
    orderedAt: at,
    periodStart: at,
    periodEnd: end,
    validUntil: end,
    trialEndsAt: trial ? end : null,
    anchor: at,
    startNowAt: at,
    savesCard,
    cartId,
    couponCode: discount?.code ?? null,
    percentDiscount: discount?.percent ?? null,
    discountDuration: discount && (discount.duration ?? ('once' as const)),
    discountDurationMonths: discount?.durationMonths ?? null,
  }
}

async function joinAtProvider(
  shop: Shop,
  row: SubscriptionRow,
  joining: Joining,
  discount: DiscountRow | null,
): Promise<Omit<Joined, 'amountMinor'> | undefined> {
  // A newer join may have superseded this one while the earlier joins were being cancelled.
  if ((await selectReservation(shop.db, row.id))?.supersededAt) throw joinSuperseded()
  const { made, method } = await createAtProvider(shop, row, joining, discount).catch(
    async (error: unknown) => {
      await recordUnansweredAttempt(shop, { subscriptionId: row.id }, error)
      return refuseJoin(shop, row, error)
    },
  )
  const noted = await storeProviderId(shop, row, made.id)
  if (noted.providerId !== made.id) {
    await shop.billing.subscriptions.end(made.id)
    throw notStarted()
  }
  const secret = made.waitsFor?.clientSecret ?? null
  if (noted.status === 'incomplete') {
    await storeSecret(shop.db, row.id, secret)
    if (method !== null && made.endedAt === null) return payAtOnce(shop, noted, made, method)
  }
  const settled = (await syncSubscription(shop, made.id)) ?? noted
  if (settled.supersededAt) throw joinSuperseded()
  if (hasEnded(settled.status)) return undefined
  return { row: settled, clientSecret: settled.status === 'incomplete' ? secret : null }
}

async function createAtProvider(
  shop: Shop,
  row: SubscriptionRow,
  joining: Joining,
  discount: DiscountRow | null,
): Promise<{ readonly made: Subscription; readonly method: string | null }> {
  const { subscriptions } = shop.billing
  const customer = await ensureCustomer(shop, joining.userId)
  const method = joining.method ? await attachMethod(shop, joining.userId, joining.method) : null
  if (row.providerId !== null) return { made: await subscriptions.retrieve(row.providerId), method }
  const made = await subscriptions.create(
    {
      customer,
      price: priceKeyOf(joining.plan),
      ...(joining.trial ? { trialDays: shop.config.details.trial.days } : {}),
      ...(discount ? { discount: discountAtProvider(discount, joining.plan) } : {}),
      metadata: { subscription: row.id, user: joining.userId },
    },
    `join:${row.joinKey}`,
  )
  return { made, method }
}

/** The provider repeats its refusal under this key for a day, so the next attempt must be a new join. */
async function refuseJoin(shop: Shop, { id, userId }: SubscriptionRow, error: unknown): Promise<never> {
  if (error instanceof ConcurrentRequest) throw notStarted()
  if (!(error instanceof PaymentConflict) && !(error instanceof NotAtProvider)) throw error
  shop.log.error({ err: error, subscription: id }, 'the provider refused a join')
  await shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId!)
    const row = await lockSubscription(tx, id)
    if (row?.status === 'incomplete') await supersede(tx, id, shop.clock.now())
  })
  throw refused('Your membership couldn’t be started. Please try again, or write to us.')
}

/** Stores the provider's id even if the row has lost its slot, so that the new subscription is found and ended. */
const storeProviderId = (
  shop: Shop,
  { id, userId }: SubscriptionRow,
  providerId: string,
): Promise<SubscriptionRow> =>
  shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId!)
    const row = (await lockSubscription(tx, id))!
    return row.providerId === null ? changeSubscription(tx, id, { providerId }) : row
  })

async function payAtOnce(
  shop: Shop,
  before: SubscriptionRow,
  { id: providerId, waitsFor }: Subscription,
  method: string,
): Promise<Omit<Joined, 'amountMinor'>> {
  const row = await payWith(shop, { ...before, providerId }, method).catch(async (error: unknown) => {
    if ((await selectReservation(shop.db, before.id))?.supersededAt) throw joinSuperseded()
    throw error
  })
  if (row.supersededAt) throw joinSuperseded()
  if (row.status !== 'incomplete') return { row, clientSecret: null }
  const payment = waitsFor?.kind === 'payment' ? await shop.payments.retrievePayment(waitsFor.id) : null
  if (payment?.refusal)
    await recordRefusedAttempt(shop, { subscriptionId: row.id, intentId: payment.id }, payment.refusal)
  if (payment?.state === 'pending') throw paymentStillChecked()
  if (payment && !needsBuyer(payment)) throw invalidMethod()
  return { row, clientSecret: waitsFor?.clientSecret ?? null }
}

const notStarted = () => outdated('Your membership couldn’t be started just now. Please try again.', 5)

export function discountAtProvider(
  {
    percent,
    amountMinor,
    duration,
    durationMonths,
  }: Pick<DiscountRow, 'percent' | 'amountMinor' | 'duration' | 'durationMonths'>,
  plan: PlanId,
): Discount {
  const months = durationMonths ?? (PLANS[plan].yearly ? 12 : 1)
  const lasts = duration === 'forever' ? 'forever' : duration === 'repeating' ? months : 'once'
  return percent === null ? { amountMinor: amountMinor!, lasts } : { percent, lasts }
}

const ALREADY = 'User already has an active subscription'

/** ERR-01 and ERR-02 define these messages, including the “an payment”. */
export function refuseIfMember(running: readonly SubscriptionRow[]): void {
  const own = running.filter(({ gift, status }) => !gift && status !== 'incomplete')
  if (own.some(hasFailedPayment))
    throw refused('User already has an payment failed subscription', 'membership_payment_failed')
  if (own.length > 0) throw refused(ALREADY, 'already_member')
}

const joinSuperseded = () => outdated('You’ve started joining in another window. Nothing was charged here.')

/** Skips a join whose subscription is still being created: that request ends it and does not pay for it. */
async function refuseWhilePayable(shop: Shop, userId: string): Promise<void> {
  for (const row of await selectSuperseded(shop.db, { userId, after: null, limit: 100 })) {
    if (row.providerId === null) continue
    const after = await syncSupersededJoin(shop, row, row.providerId)
    if (!hasEnded(after.status)) throw refused(ALREADY, 'already_member')
    if (after.endedAt === null) throw paymentStillChecked()
  }
}

export async function wrongPrices({ billing, config }: Pick<Shop, 'billing' | 'config'>): Promise<string[]> {
  const wanted = membershipPrices(config.details.plans)
  const found = await billing.prices.find(wanted.map(({ key }) => key))
  return wanted.flatMap(({ key, name, amountMinor, months }) => {
    const price = found.get(key)
    return price?.amountMinor === amountMinor && price.months === months ? [] : [name]
  })
}

async function refuseWrongPrice({ billing, config, log }: Shop, plan: PlanId): Promise<void> {
  const key = priceKeyOf(plan)
  const { priceMinor, months, name } = config.details.plans[plan]
  const price = (await billing.prices.find([key])).get(key)
  if (price?.amountMinor === priceMinor && price.months === months) return
  const there = price ? { amountMinor: price.amountMinor, months: price.months } : null
  log.error({ plan: name, here: priceMinor, there }, `${PRICES_WRONG} ${name}`)
  throw refused('You can’t start this plan at the moment. Please try again later.')
}

const PRICES_WRONG =
  'Nobody can join: run npm run payments:set-up, because the provider’s price is missing or another than the shop’s:'

async function refuseUsed(
  tx: Db,
  { config }: Pick<Shop, 'config'>,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<string> {
  const hash = trialHash(config, 'account', `${userId}:${code}`)
  if (await hadTrial(tx, [hash], null)) throw refusedCode('discount_already_used')
  return hash
}

/** There is no stored payment method, so it does not renew (OP-65). Its order costs £0.00. */
const startPaidByCode = (
  shop: Shop,
  { id, userId }: { readonly id: string; readonly userId: string },
  discount: DiscountRow,
): Promise<SubscriptionRow> =>
  shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const before = await lockSubscription(tx, id)
    if (!before || before.supersededAt !== null) throw joinSuperseded()
    if (before.status !== 'incomplete') return before
    const plan = shop.config.details.plans[before.plan]
    const hash = await refuseUsed(tx, shop, { userId, code: discount.code })
    const member = await selectMember(tx, userId)
    if (!member) throw notFound()
    const from = shop.clock.now()
    const until = monthsAfter(from, plan.months)
    const row = await changeSubscription(tx, id, {
      status: 'active',
      orderedAt: from,
      periodStart: from,
      periodEnd: until,
      validUntil: until,
      anchor: from,
      startNowAt: from,
      percentDiscount: discount.percent,
      discountDuration: 'once',
      discountDurationMonths: null,
    })
    await insertTrials(tx, [hash], row.id, from)
    await grantFor(tx, { id: row.id, userId, plan, anchor: from }, { from, until })
    const country = member.country ?? 'GB'
    const sold = { kind: 'membership' as const, plan: plan.id }
    const { priceMinor, creditsPerMonth } = plan
    const name = planInWords(plan)
    const order = await createOrder(tx, {
      basket: oneLineBasket({
        sold,
        title: name,
        originalMinor: priceMinor,
        priceMinor: 0,
        vatPercent: vatPercentOf(sold, ratesAt(shop.config, country, from)),
        code: { code: discount.code, percent: discount.percent },
      }),
      source: { kind: 'membership', id: row.id },
      buyer: { userId, country },
      waiver: false,
      now: from,
    })
    await recordPaid(tx, shop, order, {
      paidBy: { type: 'free', last4: null },
      paidAt: from,
      deliveredId: row.id,
    })
    await insertInvoice(tx, {
      invoiceId: `free:${row.id}`,
      subscriptionId: row.id,
      orderId: order.id,
      periodStart: from,
      periodEnd: until,
    })
    await queueMail(tx, {
      to: member.email,
      kind: 'membership_started',
      key: `membership_started:${row.id}`,
      data: {
        firstName: member.firstName,
        plan: name,
        amountMinor: 0,
        next: null,
        validUntil: until.toISOString(),
        creditsPerMonth,
        path: `/orders/${order.id}`,
        withdrawUntil: daysAfter(from, WITHDRAW_DAYS).toISOString(),
      },
    })
    await publish(tx, userId, { type: 'membership' }, from)
    return row
  })
