import { MESSAGES } from '#contract/messages.ts'
import { PLANS, type PlanId, TRIAL } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { priceKeyOf } from '../../outside/stripe/membership-prices.ts'
import { NotAtProvider, PaymentConflict } from '../../outside/stripe/problems.ts'
import type { Discount, Subscription } from '../../outside/stripe/subscriptions.ts'
import { outdated, refused, unprocessable } from '../../refusals.ts'
import { type DiscountRow, judge, lookAtCode } from '../discounts/rules.ts'
import { daysAfter, holdAccount } from '../membership/rules.ts'
import { reckon } from '../prices/rules.ts'
import { customerOf } from './customer.ts'
import type { Desk } from './desk.ts'
import { trialHash } from './hashes.ts'
import { refuseSecond, TRIAL_USED } from './second.ts'
import { beginFree } from './free.ts'
import {
  hadTrial,
  insertSubscription,
  lockSubscription,
  selectRunning,
  type SubscriptionRow,
  updateSubscription,
} from './rows.ts'
import { invalidMethod, keepMethod } from './methods.ts'
import { refuseWrongPrice } from './right-price.ts'
import { handOut } from './secrets.ts'
import { payWith } from './set-ups.ts'
import { settleSubscription } from './settle.ts'
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
 * Begins a membership: the row here first, then the subscription at the provider under the row's own key, so that whatever
 * dies in between, the same join asked for again is the same subscription. Two at once are one: the account is held while
 * its row is chosen.
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
  if (discount && amountMinor === 0 && !wish.trial)
    return { row: await beginAlone(desk, wish, discount), clientSecret: null, amountMinor }

  await refuseWrongPrice(desk, wish.plan)
  const method = wish.method ? await keepMethod(desk, wish.userId, wish.method) : null
  const { row, superseded } = await desk.db.transaction((tx) => choose(tx, desk, wish, discount))
  for (const { providerId } of superseded) if (providerId !== null) await giveUp(desk, providerId)
  const subscription = await beginAtProvider(desk, row, wish, discount)
  await handOut(desk.db, row.id, subscription.waitsFor?.clientSecret ?? null)
  if (method !== null) return { ...(await payAtOnce(desk, row, subscription, method)), amountMinor }
  const settled = (await settleSubscription(desk, subscription.id)) ?? row
  return { row: settled, clientSecret: subscription.waitsFor?.clientSecret ?? null, amountMinor }
}

/** With a method that is there already: charged at once. What its bank wants the buyer for goes on in the browser. */
async function payAtOnce(
  desk: Desk,
  { id }: SubscriptionRow,
  { id: providerId, waitsFor }: Subscription,
  method: string,
): Promise<Pick<Joined, 'row' | 'clientSecret'>> {
  const before = await desk.db.transaction((tx) => lockSubscription(tx, id))
  const row = await payWith(desk, { ...before!, providerId }, method)
  if (row.status !== 'incomplete') return { row, clientSecret: null }
  const payment = waitsFor?.kind === 'payment' ? await desk.payments.retrievePayment(waitsFor.id) : null
  if (payment && !asksForBuyer(payment)) throw invalidMethod()
  return { row, clientSecret: waitsFor?.clientSecret ?? null }
}

/** One that a code pays whole: no card, no renewal; it ends by the calendar (OP-65). */
export async function joinFree(
  desk: Desk,
  wish: Omit<Joining, 'trial' | 'shownMinor'>,
): Promise<SubscriptionRow> {
  const discount = await discountOf(desk, wish)
  if (discount === null || priceWith(wish.plan, discount) > 0)
    throw unprocessable('couponCode', 'Something is left to pay.')
  return beginAlone(desk, wish, discount)
}

/** What waits for a payment is given up first: another tab could still pay it beside this one. */
async function beginAlone(
  desk: Desk,
  wish: Pick<Joining, 'userId' | 'plan'>,
  discount: DiscountRow,
): Promise<SubscriptionRow> {
  for (const { id, status, providerId } of await selectRunning(desk.db, wish.userId))
    if (status === 'incomplete' && providerId !== null) {
      await giveUp(desk, providerId)
      // Else the same plan, asked for before its notice comes, would be answered with this one.
      await updateSubscription(desk.db, id, { status: 'incomplete_expired' })
    }
  return beginFree(desk, wish, discount)
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
    () => judge(db, code, { userId, lines, now: clock.now() }),
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

async function choose(
  tx: Db,
  desk: Desk,
  wish: Joining,
  discount: DiscountRow | null,
): Promise<{ row: SubscriptionRow; superseded: readonly SubscriptionRow[] }> {
  await holdAccount(tx, wish.userId)
  const running = await selectRunning(tx, wish.userId)
  refuseSecond(running)
  if (wish.trial && (await hadTrial(tx, [trialHash(desk.config, 'account', wish.userId)], null)))
    throw refused(TRIAL_USED)
  const waiting = running.filter(({ status }) => status === 'incomplete')
  const isSame = (row: SubscriptionRow) =>
    row.plan === wish.plan &&
    row.couponCode === (discount?.code ?? null) &&
    (row.trialEndsAt !== null) === wish.trial
  const same = waiting.find(isSame)
  const superseded = waiting.filter((row) => row !== same)
  for (const old of superseded) await updateSubscription(tx, old.id, { status: 'incomplete_expired' })
  if (same) return { row: same, superseded }
  return { row: await insertSubscription(tx, newRow(desk, wish, discount)), superseded }
}

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

async function beginAtProvider(
  desk: Desk,
  row: SubscriptionRow,
  wish: Joining,
  discount: DiscountRow | null,
): Promise<Subscription> {
  if (row.providerId !== null) return desk.billing.subscriptions.retrieve(row.providerId)
  const customer = await customerOf(desk, wish.userId)
  const made = await desk.billing.subscriptions.create(
    {
      customer,
      price: priceKeyOf(wish.plan),
      ...(wish.trial ? { trialDays: TRIAL.days } : {}),
      ...(discount ? { discount: discountAtProvider(discount, wish.plan) } : {}),
      metadata: { subscription: row.id, user: wish.userId },
    },
    `join:${row.joinKey}`,
  )
  await updateSubscription(desk.db, row.id, {
    providerId: made.id,
    clientSecret: made.waitsFor?.clientSecret ?? null,
  })
  return made
}

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

/**
 * Nobody can pay this one any more: its invoice first, so that a payment on its way either came before, and is settled, or
 * comes too late.
 */
async function giveUp(desk: Desk, providerId: string): Promise<void> {
  const { subscriptions, invoices } = desk.billing
  try {
    const { state, trialEndsAt, latestInvoice } = await subscriptions.retrieve(providerId)
    // A trial's invoice of nothing is paid from the start: it is the card that a trial waits for.
    const runs =
      trialEndsAt === null
        ? latestInvoice !== null && (await invoices.makeVoid(latestInvoice)).state === 'paid'
        : state === 'trialing'
    if (runs) {
      await settleSubscription(desk, providerId)
      throw refused('User already has an active subscription')
    }
    await subscriptions.end(providerId)
  } catch (error) {
    if (!(error instanceof PaymentConflict) && !(error instanceof NotAtProvider)) throw error
  }
}
