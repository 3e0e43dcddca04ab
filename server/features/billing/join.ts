import { MESSAGES } from '#contract/messages.ts'
import { PLANS, type PlanId, TRIAL } from '#contract/plans.ts'
import { priceKeyOf } from '../../outside/stripe/membership-prices.ts'
import { AskedAtThisMoment, NotAtProvider, PaymentConflict } from '../../outside/stripe/problems.ts'
import type { Discount, Subscription } from '../../outside/stripe/subscriptions.ts'
import { outdated, refused, unprocessable } from '../../refusals.ts'
import { type DiscountRow, judge, lookAtCode, reserveUse } from '../discounts/rules.ts'
import { daysAfter, holdAccount } from '../membership/rules.ts'
import { reckon } from '../prices/rules.ts'
import { customerOf } from './customer.ts'
import type { Desk } from './desk.ts'
import { beginFree, refuseUsed } from './free.ts'
import { trialHash } from './hashes.ts'
import { invalidMethod, keepMethod } from './methods.ts'
import { takePlace } from './place.ts'
import { refuseWrongPrice } from './right-price.ts'
import {
  hadTrial,
  insertSubscription,
  isOver,
  lockSubscription,
  selectPlace,
  selectRunning,
  type SubscriptionRow,
  supersede,
  updateSubscription,
} from './rows.ts'
import { refuseSecond, stillChecking, supersededMeanwhile, TRIAL_USED } from './second.ts'
import { rememberSecret } from './secrets.ts'
import { payWith } from './set-ups.ts'
import { settleSubscription } from './settle.ts'
import { refuseWhilePayable } from './superseded.ts'
import { asksForBuyer } from './turn.ts'

export interface Joining {
  readonly userId: string
  readonly plan: PlanId
  readonly code: string | null
  readonly trial: boolean
  /** The total that the page shows. */
  readonly shownMinor: number | undefined
  readonly startNow: boolean
  /** `pm_…` that the browser made; without one it confirms what comes back with what is typed. */
  readonly method?: string | null
}

export interface Joined {
  readonly row: SubscriptionRow
  /** For the browser; null where nothing is left to do. */
  readonly clientSecret: string | null
  readonly amountMinor: number
}

/**
 * Begins a membership. Its row takes the account's place first, under the account's lock; then the provider is
 * asked, under the row's own key, so that whatever dies in between, the same join asked for again is the same
 * subscription. A join that lost its place can be paid by nobody before this one is, and whoever was beginning it is
 * told.
 */
export async function join(desk: Desk, wish: Joining): Promise<Joined> {
  const discount = await discountOf(desk, wish)
  const plan = PLANS[wish.plan]
  const amountMinor = wish.trial ? 0 : priceWith(wish.plan, discount)
  if (wish.shownMinor !== undefined && wish.shownMinor !== amountMinor)
    throw outdated(MESSAGES.totalHasChanged)
  if (!plan.monthly && !plan.yearly) throw unprocessable('plan', 'This plan can only be given.')
  if (!wish.startNow)
    throw unprocessable('startNow', 'Please agree that your membership starts straight away.')
  const free = discount && amountMinor === 0 && !wish.trial ? discount : null
  if (!free) await refuseWrongPrice(desk, wish.plan)
  // A second round follows one that the provider gave up because nobody paid it for a day.
  for (let round = 0; round < 2; round += 1) {
    const row = await reserve(desk, wish, { discount, free })
    await refuseWhilePayable(desk, wish.userId)
    if (free) {
      const begun = await beginFree(desk, { id: row.id, userId: wish.userId }, free)
      return { row: begun, clientSecret: null, amountMinor }
    }
    const joined = await joinAtProvider(desk, row, wish, discount)
    if (joined) return { ...joined, amountMinor }
  }
  throw notBegun()
}

/** One that a code pays whole: no card, no renewal; it ends by the calendar (OP-65). */
export async function joinFree(
  desk: Desk,
  wish: Omit<Joining, 'trial' | 'shownMinor'>,
): Promise<SubscriptionRow> {
  const discount = await discountOf(desk, wish)
  if (discount === null || priceWith(wish.plan, discount) > 0)
    throw unprocessable('couponCode', 'Something is left to pay.')
  return (await join(desk, { ...wish, trial: false, shownMinor: undefined })).row
}

async function discountOf(
  { db, now, clock }: Desk,
  { userId, plan, code }: Pick<Joining, 'userId' | 'plan' | 'code'>,
): Promise<DiscountRow | null> {
  if (code === null) return null
  const lines = [{ sold: { kind: 'membership' as const, plan }, originalMinor: PLANS[plan].priceMinor }]
  const judged = await lookAtCode(
    db,
    { who: userId, now: now() },
    () => judge(db, code, { userId, lines, source: userId, now: clock.now() }),
    (found) => 'refused' in found && found.refused === MESSAGES.discountNotValid,
  )
  if ('refused' in judged) throw refused(judged.refused)
  return judged.row
}

function priceWith(plan: PlanId, discount: DiscountRow | null): number {
  const { priceMinor } = PLANS[plan]
  if (discount === null) return priceMinor
  const { percent, amountMinor } = discount
  const line = { sold: { kind: 'membership' as const, plan }, originalMinor: priceMinor }
  return reckon([line], { of: 'each', covers: () => true, percent, amountMinor }).totalMinor
}

/** The row that has the account's place: the one that waits for the same, or a new one. */
const reserve = (
  desk: Desk,
  wish: Joining,
  { discount, free }: { readonly discount: DiscountRow | null; readonly free: DiscountRow | null },
): Promise<SubscriptionRow> =>
  desk.db.transaction(async (tx) => {
    const { userId } = wish
    await holdAccount(tx, userId)
    const running = await selectRunning(tx, userId)
    refuseSecond(running)
    if (wish.trial && (await hadTrial(tx, [trialHash(desk.config, 'account', userId)], null)))
      throw refused(TRIAL_USED)
    if (free) await refuseUsed(tx, desk, { userId, code: free.code })
    const same = running.find(
      (row) =>
        row.status === 'incomplete' &&
        row.plan === wish.plan &&
        row.couponCode === (discount?.code ?? null) &&
        (row.trialEndsAt !== null) === wish.trial,
    )
    const now = desk.clock.now()
    await takePlace(tx, { id: same?.id ?? null, userId }, now)
    const couponReservedUntil = discount && (await reserveUse(tx, discount.code, { source: userId, now }))
    return same
      ? updateSubscription(tx, same.id, { couponReservedUntil })
      : insertSubscription(tx, { ...newRow(desk, wish, discount), couponReservedUntil })
  })

function newRow({ clock }: Desk, { userId, plan, trial }: Joining, discount: DiscountRow | null) {
  const at = clock.now()
  const end = trial ? daysAfter(at, TRIAL.days) : at
  return {
    userId,
    plan,
    status: 'incomplete' as const,
    orderedAt: at,
    periodStart: at,
    periodEnd: end,
    validUntil: end,
    trialEndsAt: trial ? end : null,
    anchor: at,
    startNowAt: at,
    couponCode: discount?.code ?? null,
    percentDiscount: discount?.percent ?? null,
    discountDuration: discount && (discount.duration ?? ('once' as const)),
    discountDurationMonths: discount?.durationMonths ?? null,
  }
}

/** @returns undefined where the provider gave it up meanwhile */
async function joinAtProvider(
  desk: Desk,
  row: SubscriptionRow,
  wish: Joining,
  discount: DiscountRow | null,
): Promise<Omit<Joined, 'amountMinor'> | undefined> {
  // It waited for those before it, and may have become one of them.
  if ((await selectPlace(desk.db, row.id))?.supersededAt) throw supersededMeanwhile()
  const { made, method } = await beginAtProvider(desk, row, wish, discount).catch((error: unknown) =>
    refuseInWords(desk, row, error),
  )
  const noted = await note(desk, row, made.id)
  if (noted.providerId !== made.id) {
    await desk.billing.subscriptions.end(made.id)
    throw notBegun()
  }
  const secret = made.waitsFor?.clientSecret ?? null
  if (noted.status === 'incomplete') {
    await rememberSecret(desk.db, row.id, secret)
    if (method !== null && made.endedAt === null) return payAtOnce(desk, noted, made, method)
  }
  const settled = (await settleSubscription(desk, made.id)) ?? noted
  if (settled.supersededAt) throw supersededMeanwhile()
  if (isOver(settled.status)) return undefined
  return { row: settled, clientSecret: settled.status === 'incomplete' ? secret : null }
}

async function beginAtProvider(
  desk: Desk,
  row: SubscriptionRow,
  wish: Joining,
  discount: DiscountRow | null,
): Promise<{ readonly made: Subscription; readonly method: string | null }> {
  const { subscriptions } = desk.billing
  const customer = await customerOf(desk, wish.userId)
  const method = wish.method ? await keepMethod(desk, wish.userId, wish.method) : null
  if (row.providerId !== null) return { made: await subscriptions.retrieve(row.providerId), method }
  const made = await subscriptions.create(
    {
      customer,
      price: priceKeyOf(wish.plan),
      ...(wish.trial ? { trialDays: TRIAL.days } : {}),
      ...(discount ? { discount: discountAtProvider(discount, wish.plan) } : {}),
      metadata: { subscription: row.id, user: wish.userId },
    },
    `join:${row.joinKey}`,
  )
  return { made, method }
}

/** The provider refuses the same under this key for a day: the next try is a join of its own. */
async function refuseInWords(desk: Desk, { id, userId }: SubscriptionRow, error: unknown): Promise<never> {
  if (error instanceof AskedAtThisMoment) throw notBegun()
  if (!(error instanceof PaymentConflict) && !(error instanceof NotAtProvider)) throw error
  desk.log.error({ err: error, subscription: id }, 'the provider refused a join')
  await desk.db.transaction(async (tx) => {
    await holdAccount(tx, userId!)
    const row = await lockSubscription(tx, id)
    if (row?.status === 'incomplete') await supersede(tx, id, desk.clock.now())
  })
  throw refused('Your membership couldn’t be started. Please try again, or write to us.')
}

/** The new subscription is noted also for a row that has lost its place by now: so it is found, and ended. */
const note = (desk: Desk, { id, userId }: SubscriptionRow, providerId: string): Promise<SubscriptionRow> =>
  desk.db.transaction(async (tx) => {
    await holdAccount(tx, userId!)
    const row = (await lockSubscription(tx, id))!
    return row.providerId === null ? updateSubscription(tx, id, { providerId }) : row
  })

/**
 * With a method that is there already: charged at once. A bank that wants its customer is answered in the browser.
 */
async function payAtOnce(
  desk: Desk,
  before: SubscriptionRow,
  { id: providerId, waitsFor }: Subscription,
  method: string,
): Promise<Omit<Joined, 'amountMinor'>> {
  const row = await payWith(desk, { ...before, providerId }, method).catch(async (error: unknown) => {
    if ((await selectPlace(desk.db, before.id))?.supersededAt) throw supersededMeanwhile()
    throw error
  })
  if (row.supersededAt) throw supersededMeanwhile()
  if (row.status !== 'incomplete') return { row, clientSecret: null }
  const payment = waitsFor?.kind === 'payment' ? await desk.payments.retrievePayment(waitsFor.id) : null
  if (payment?.state === 'pending') throw stillChecking()
  if (payment && !asksForBuyer(payment)) throw invalidMethod()
  return { row, clientSecret: waitsFor?.clientSecret ?? null }
}

const notBegun = () => outdated('Your membership couldn’t be started just now. Please try again.', 5)

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
