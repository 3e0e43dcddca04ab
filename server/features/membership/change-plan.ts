import type { BusinessTime } from '../../clock.ts'
import type { LeavingReason } from '#contract/membership-changes.ts'
import { type PlanId, planInWords, isJoined, PLANS, type Tier } from '#contract/plans.ts'
import type { MailKind } from '../../integrations/mail/kinds.ts'
import { mailMember } from './mail-member.ts'
import { priceKeyOf } from '../../integrations/stripe/prices.ts'
import { PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { outdated, refused, totalChanged } from '../../http/http-errors.ts'
import { ownSubscription } from './service.ts'
import { changeSubscription } from './subscription-state.ts'
import { type PlannedChange, plannedChange } from './next-payment.ts'
import { type SubscriptionRow, lockSubscription } from './queries.ts'
import { insertLeavingAnswer } from './billing-queries.ts'
import { syncSubscription } from './sync-subscription.ts'

type AtProvider = SubscriptionRow & { readonly userId: string; readonly providerId: string }

/** @throws 422 if the provider does not bill it, or the member has withdrawn */
export async function billedSubscription(shop: Shop, userId: string, id: string): Promise<AtProvider> {
  const row = await ownSubscription(shop.db, userId, id)
  if (row.providerId === null) throw refused(REFUSED.gift)
  if (row.withdrawnAt !== null) throw refused(REFUSED.withdrawn)
  return { ...row, userId, providerId: row.providerId }
}

const REFUSED = {
  same_plan: 'You already have this plan.',
  payment_failed: 'Please pay what you owe first.',
  canceled: 'Your membership is cancelled. Resume it first.',
  gift: 'This membership doesn’t renew, so there’s nothing to change.',
  not_sold: 'This plan can only be given.',
  not_running: 'This membership isn’t running.',
  withdrawn: 'You’ve cancelled this membership for a refund.',
} as const

/** Takes effect at the end of the paid period (OP-66). Idempotent. */
export async function cancelMembership(shop: Shop, userId: string, id: string): Promise<SubscriptionRow> {
  const before = await billedSubscription(shop, userId, id)
  if (before.canceledAt !== null) return before
  await recordDroppedChange(shop, before)
  await outdatedIfRefused(() => shop.billing.subscriptions.cancel(before.providerId))
  const row = await syncedSubscription(shop, before)
  if (row.canceledAt !== null)
    await mailLocked(shop, row, ({ firstName }) => ({
      kind: 'membership_cancelled',
      key: `membership_cancelled:${id}:${row.canceledAt!.getTime()}`,
      data: {
        firstName,
        plan: planInWords(shop.config.details.plans[row.plan]),
        validUntil: row.validUntil.toISOString(),
        trial: row.status === 'trialing',
      },
    }))
  return row
}

export async function resumeMembership(shop: Shop, userId: string, id: string): Promise<SubscriptionRow> {
  const before = await billedSubscription(shop, userId, id)
  if (before.canceledAt === null) return before
  await outdatedIfRefused(() => shop.billing.subscriptions.resume(before.providerId))
  const row = await syncedSubscription(shop, before)
  const { plans } = shop.config.details
  await mailLocked(shop, row, ({ firstName }) => ({
    kind: 'membership_resumed',
    key: `membership_resumed:${id}:${before.canceledAt!.getTime()}`,
    data: {
      firstName,
      plan: planInWords(plans[row.plan]),
      next: nextPaymentAt(row),
      dropped:
        row.droppedPlan !== null && row.droppedAt !== null
          ? { plan: plans[row.droppedPlan].type, at: row.droppedAt.toISOString() }
          : null,
    },
  }))
  return row
}

interface Preview {
  readonly plan: PlanId
  readonly when: 'now' | 'period_end' | 'trial_end'
  readonly at: BusinessTime
  readonly amountMinor: number
  readonly addedToNextPayment: boolean
  /** The first renewal at the new plan, less any discount that still applies then. */
  readonly next: { readonly at: BusinessTime; readonly amountMinor: number }
  readonly ends: PlannedChange | null
  readonly reckonedAt: Date
}

export async function previewPlanChange(
  shop: Shop,
  userId: string,
  id: string,
  plan: PlanId,
): Promise<Preview> {
  const row = await billedSubscription(shop, userId, id)
  return previewOf(shop, row, plan, shop.clock.now())
}

async function previewOf(
  { billing, config }: Shop,
  row: AtProvider,
  plan: PlanId,
  at: BusinessTime,
): Promise<Preview> {
  const change = planChangeTo({ ...row, plan: row.plan }, plan, config.details.plans)
  if ('refused' in change) throw refused(REFUSED[change.refused])
  const { when } = change
  const ends = plannedChange(row)
  const next = await outdatedIfRefused(() =>
    billing.subscriptions.quoteAtPeriodEnd(row.providerId, priceKeyOf(plan)),
  )
  if (when !== 'now') {
    return {
      plan,
      when,
      at: next.at,
      amountMinor: 0,
      addedToNextPayment: false,
      next: { at: next.at, amountMinor: next.totalMinor },
      ends,
      reckonedAt: at,
    }
  }
  const quote = await outdatedIfRefused(() =>
    billing.subscriptions.quoteUpgrade(row.providerId, priceKeyOf(plan), at),
  )
  const addedToNextPayment = quote.dueMinor === 0 && quote.totalMinor > 0
  return {
    plan,
    when,
    at: quote.at,
    amountMinor: quote.dueMinor,
    addedToNextPayment,
    next: { at: next.at, amountMinor: next.totalMinor + (addedToNextPayment ? quote.totalMinor : 0) },
    ends,
    reckonedAt: quote.at,
  }
}

interface RequestedChange {
  readonly plan: PlanId
  readonly amountMinor: number | undefined
  readonly reckonedAt: Date | undefined
}

/** A time in the future is ignored, too: the later the time, the less the rest of the period costs. */
const PREVIEW_VALID_MS = 60 * 60_000

/**
 * @throws 409 if `amountMinor` is no longer the price of the change
 * @throws 422 if the plan can't be changed like this, or the bank refused the payment
 */
export async function changePlan(
  shop: Shop,
  userId: string,
  id: string,
  { plan, amountMinor, reckonedAt }: RequestedChange,
): Promise<SubscriptionRow> {
  const before = await billedSubscription(shop, userId, id)
  if (before.pendingPlan === plan) return before
  if (before.pendingPlan !== null && before.plan === plan) {
    await outdatedIfRefused(() => shop.billing.subscriptions.cancelPlannedChange(before.providerId))
    await clearDroppedChange(shop, before)
    return syncedSubscription(shop, before)
  }
  const now = shop.clock.now()
  const ageMs = reckonedAt === undefined ? Infinity : now.getTime() - reckonedAt.getTime()
  const isFresh = ageMs >= 0 && ageMs <= PREVIEW_VALID_MS
  const shown = await previewOf(shop, before, plan, isFresh && reckonedAt ? reckonedAt : now)
  if (amountMinor !== undefined && amountMinor !== shown.amountMinor) throw totalChanged()
  if (shown.when === 'now') return upgrade(shop, before, plan, shown.reckonedAt)
  await outdatedIfRefused(() =>
    shop.billing.subscriptions.changeAtPeriodEnd(before.providerId, priceKeyOf(plan)),
  )
  await clearDroppedChange(shop, before)
  const row = await syncedSubscription(shop, before)
  if (row.pendingPlan !== null)
    await mailLocked(shop, row, ({ firstName }) => ({
      kind: 'plan_changed',
      key: `plan_change_planned:${id}:${plan}:${row.pendingAt?.getTime()}`,
      data: {
        firstName,
        from: planInWords(shop.config.details.plans[row.plan]),
        to: planInWords(shop.config.details.plans[plan]),
        at: (row.pendingAt ?? row.periodEnd).toISOString(),
        amountMinor: 0,
        more: 0,
        next: nextPaymentAt(row),
      },
    }))
  return row
}

/** The idempotency key has the latest invoice: a refusal makes a new one, so that pressing again is a new attempt. */
async function upgrade(shop: Shop, before: AtProvider, plan: PlanId, at: Date): Promise<SubscriptionRow> {
  const { subscriptions } = shop.billing
  const { providerId, pendingPlan } = before
  const { latestInvoice, unpaidChange } = await outdatedIfRefused(() => subscriptions.retrieve(providerId))
  if (unpaidChange) await dropUnpaid(shop, unpaidChange.invoice)
  await recordDroppedChange(shop, before)
  const idempotencyKey = `upgrade:${before.id}:${plan}:${at.getTime()}:${latestInvoice}`
  const changed = await outdatedIfRefused(() =>
    subscriptions.upgrade(providerId, { price: priceKeyOf(plan), at }, idempotencyKey),
  )
  if (!changed.unpaidChange) {
    await clearDroppedChange(shop, before)
    return syncedSubscription(shop, before)
  }
  await dropUnpaid(shop, changed.unpaidChange.invoice)
  if (pendingPlan !== null)
    await outdatedIfRefused(() => subscriptions.changeAtPeriodEnd(providerId, priceKeyOf(pendingPlan)))
  await syncedSubscription(shop, before)
  throw refused('Your bank didn’t take the payment, so your plan hasn’t changed.')
}

/** Otherwise the provider retries it, and changes the plan after the member read that it hasn't. */
const dropUnpaid = ({ billing }: Shop, invoice: string) =>
  outdatedIfRefused(() => billing.invoices.makeVoid(invoice))

/** Recorded first: if a later step fails, the member is still asked whether the planned change applies. */
async function recordDroppedChange(
  { db }: Shop,
  { id, pendingPlan, pendingAt }: SubscriptionRow,
): Promise<void> {
  if (pendingPlan !== null)
    await changeSubscription(db, id, { droppedPlan: pendingPlan, droppedAt: pendingAt })
}

const clearDroppedChange = ({ db }: Shop, { id }: SubscriptionRow) =>
  changeSubscription(db, id, { droppedPlan: null, droppedAt: null })

const nextPaymentAt = ({ nextMinor, validUntil }: SubscriptionRow) =>
  nextMinor === null ? null : { at: validUntil.toISOString(), amountMinor: nextMinor }

async function outdatedIfRefused<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PaymentConflict) throw outdated('Your membership has changed. Please look again.')
    throw error
  }
}

const syncedSubscription = async (shop: Shop, row: AtProvider): Promise<SubscriptionRow> =>
  (await syncSubscription(shop, row.providerId)) ?? row

/** In a transaction of its own: a failed email can't undo a change that was made at the provider. */
const mailLocked = <const Kind extends MailKind>(
  { db }: Shop,
  { id, userId }: SubscriptionRow,
  mail: Parameters<typeof mailMember<Kind>>[2],
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockSubscription(tx, id)
    await mailMember(tx, userId, mail)
  })

/** Stored with the plan and the day only, so that no answer can be traced to a member. Only the first answer counts. */
export async function recordLeavingReason(
  shop: Shop,
  userId: string,
  id: string,
  reason: LeavingReason,
): Promise<void> {
  await ownSubscription(shop.db, userId, id)
  await shop.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, id)
    if (!row || row.canceledAt === null) throw refused('This membership isn’t cancelled.')
    if (row.leavingSaid) return
    await changeSubscription(tx, id, { leavingSaid: true })
    const day = shop.clock.now().toISOString().slice(0, 10)
    await insertLeavingAnswer(tx, { plan: row.plan, day, reason })
  })
}

const PLAN_ORDER: readonly Tier[] = ['supporter', 'reader', 'avid']

export interface PlanChangeInput {
  readonly plan: PlanId
  readonly status: string
  readonly canceledAt: Date | null
  readonly gift: boolean
}

type PlanChange =
  | { readonly when: 'now' | 'period_end' | 'trial_end' }
  | { readonly refused: 'same_plan' | 'payment_failed' | 'canceled' | 'gift' | 'not_sold' | 'not_running' }

/** A higher tier with the same billing interval starts now, any other plan at the end of the paid period. */
export function planChangeTo(current: PlanChangeInput, next: PlanId, plans = PLANS): PlanChange {
  const [present, wanted] = [plans[current.plan], plans[next]]
  if (present.id === wanted.id) return { refused: 'same_plan' }
  if (!isJoined(wanted)) return { refused: 'not_sold' }
  if (current.gift) return { refused: 'gift' }
  if (current.status === 'past_due' || current.status === 'unpaid') return { refused: 'payment_failed' }
  if (current.status !== 'active' && current.status !== 'trialing') return { refused: 'not_running' }
  if (current.canceledAt !== null) return { refused: 'canceled' }
  if (current.status === 'trialing') return { when: 'trial_end' }
  const more = PLAN_ORDER.indexOf(wanted.tier) > PLAN_ORDER.indexOf(present.tier)
  return { when: more && present.months === wanted.months ? 'now' : 'period_end' }
}
