import type { LeavingReason } from '#contract/membership-changes.ts'
import { MESSAGES } from '#contract/messages.ts'
import { type PlanId, planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { priceKeyOf } from '../../integrations/stripe/membership-prices.ts'
import { PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { outdated, refused } from '../../http/http-errors.ts'
import { memberOf, ownSubscription } from './service.ts'
import { changeSubscription, lockSubscription } from './subscription-state.ts'
import { changeTo } from './plan-change-kind.ts'
import { type Planned, plannedOf } from './planned-changes.ts'
import { type SubscriptionRow } from './queries.ts'
import { insertLeavingAnswer } from './billing-queries.ts'
import { settleSubscription } from './sync-subscription.ts'

type AtProvider = SubscriptionRow & { readonly userId: string; readonly providerId: string }

/**
 * One that the provider bills. A membership that was given, or paid whole by a code, has nothing to be changed
 * there.
 */
export async function billedOf(shop: Shop, userId: string, id: string): Promise<AtProvider> {
  const row = await ownSubscription(shop.db, userId, id)
  if (row.providerId === null) throw refused(REFUSED.gift)
  if (row.withdrawnAt !== null) throw refused(REFUSED.withdrawn)
  return { ...row, userId, providerId: row.providerId }
}

const REFUSED = {
  same_plan: 'This is your plan already.',
  payment_failed: 'Please pay what’s open first.',
  canceled: 'Your membership is cancelled. Resume it first.',
  gift: 'This membership doesn’t renew, so there’s nothing to change.',
  not_sold: 'This plan can only be given.',
  not_running: 'This membership isn’t running.',
  withdrawn: 'You’ve withdrawn from this membership.',
} as const

/** At the end of the period that is paid for (OP-66). Repeating it changes nothing. */
export async function cancel(shop: Shop, userId: string, id: string): Promise<SubscriptionRow> {
  const before = await billedOf(shop, userId, id)
  if (before.canceledAt !== null) return before
  await noteDropped(shop, before)
  await outdatedIfRefused(() => shop.billing.subscriptions.cancel(before.providerId))
  const row = await settled(shop, before)
  if (row.canceledAt !== null)
    await mailMember(shop, row, (tx, { email, firstName }) =>
      queueMail(tx, {
        to: email,
        kind: 'membership_cancelled',
        key: `membership_cancelled:${id}:${row.canceledAt!.getTime()}`,
        data: {
          firstName,
          plan: planInWords(shop.config.details.plans[row.plan]),
          validUntil: row.validUntil.toISOString(),
          trial: row.status === 'trialing',
        },
      }),
    )
  return row
}

/** While it still runs, without a charge. */
export async function resume(shop: Shop, userId: string, id: string): Promise<SubscriptionRow> {
  const before = await billedOf(shop, userId, id)
  if (before.canceledAt === null) return before
  await outdatedIfRefused(() => shop.billing.subscriptions.resume(before.providerId))
  const row = await settled(shop, before)
  const { plans } = shop.config.details
  await mailMember(shop, row, (tx, { email, firstName }) =>
    queueMail(tx, {
      to: email,
      kind: 'membership_resumed',
      key: `membership_resumed:${id}:${before.canceledAt!.getTime()}`,
      data: {
        firstName,
        plan: planInWords(plans[row.plan]),
        next: nextOf(row),
        dropped:
          row.droppedPlan !== null && row.droppedAt !== null
            ? { plan: plans[row.droppedPlan].type, at: row.droppedAt.toISOString() }
            : null,
      },
    }),
  )
  return row
}

export interface Preview {
  readonly plan: PlanId
  readonly when: 'now' | 'period_end' | 'trial_end'
  readonly at: Date
  readonly amountMinor: number
  readonly addedToNextPayment: boolean
  /** The first renewal at the new plan, with a discount that still runs then. */
  readonly next: { readonly at: Date; readonly amountMinor: number }
  /** The planned change that this one ends. */
  readonly ends: Planned | null
  readonly reckonedAt: Date
}

/** The effect of a change, by the provider's own reckoning. Changes nothing. */
export async function preview(shop: Shop, userId: string, id: string, plan: PlanId): Promise<Preview> {
  const row = await billedOf(shop, userId, id)
  return previewOf(shop, row, plan, shop.clock.now())
}

async function previewOf(
  { billing, config }: Shop,
  row: AtProvider,
  plan: PlanId,
  at: Date,
): Promise<Preview> {
  const change = changeTo({ ...row, plan: row.plan }, plan, config.details.plans)
  if ('refused' in change) throw refused(REFUSED[change.refused])
  const { when } = change
  const ends = plannedOf(row)
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
  /** The preview that the page showed. */
  readonly amountMinor: number | undefined
  readonly reckonedAt: Date | undefined
}

/**
 * The greatest age of a preview: the sum that was shown is charged, by the second it was reckoned for. One of a time
 * to come would make the rest of the period as cheap as anybody likes.
 */
const PREVIEW_VALID_MS = 60 * 60_000

/** To another plan: at once with the difference charged, or at the end of the period. */
export async function changePlan(
  shop: Shop,
  userId: string,
  id: string,
  { plan, amountMinor, reckonedAt }: RequestedChange,
): Promise<SubscriptionRow> {
  const before = await billedOf(shop, userId, id)
  if (before.pendingPlan === plan) return before
  if (before.pendingPlan !== null && before.plan === plan) {
    await outdatedIfRefused(() => shop.billing.subscriptions.cancelPlannedChange(before.providerId))
    await forgetDropped(shop, before)
    return settled(shop, before)
  }
  const now = shop.clock.now()
  const ageMs = reckonedAt === undefined ? Infinity : now.getTime() - reckonedAt.getTime()
  const isFresh = ageMs >= 0 && ageMs <= PREVIEW_VALID_MS
  const shown = await previewOf(shop, before, plan, isFresh && reckonedAt ? reckonedAt : now)
  if (amountMinor !== undefined && amountMinor !== shown.amountMinor) throw outdated(MESSAGES.totalHasChanged)
  if (shown.when === 'now') return upgrade(shop, before, plan, shown.reckonedAt)
  await outdatedIfRefused(() =>
    shop.billing.subscriptions.changeAtPeriodEnd(before.providerId, priceKeyOf(plan)),
  )
  await forgetDropped(shop, before)
  const row = await settled(shop, before)
  if (row.pendingPlan !== null)
    await mailMember(shop, row, (tx, { email, firstName }) =>
      queueMail(tx, {
        to: email,
        kind: 'plan_changed',
        key: `plan_change_planned:${id}:${plan}:${row.pendingAt?.getTime()}`,
        data: {
          firstName,
          from: planInWords(shop.config.details.plans[row.plan]),
          to: planInWords(shop.config.details.plans[plan]),
          at: (row.pendingAt ?? row.periodEnd).toISOString(),
          amountMinor: 0,
          more: 0,
          next: nextOf(row),
        },
      }),
    )
  return row
}

/**
 * At once, for the difference. A planned change ends with it, but not where the bank refuses. A press after a
 * refusal tries again, since the provider's last invoice is another one by then; two presses at once are one.
 */
async function upgrade(shop: Shop, before: AtProvider, plan: PlanId, at: Date): Promise<SubscriptionRow> {
  const { subscriptions } = shop.billing
  const { providerId, pendingPlan } = before
  const { latestInvoice, unpaidChange } = await outdatedIfRefused(() => subscriptions.retrieve(providerId))
  if (unpaidChange) await dropUnpaid(shop, unpaidChange.invoice)
  await noteDropped(shop, before)
  const idempotencyKey = `upgrade:${before.id}:${plan}:${at.getTime()}:${latestInvoice}`
  const changed = await outdatedIfRefused(() =>
    subscriptions.upgrade(providerId, { price: priceKeyOf(plan), at }, idempotencyKey),
  )
  if (!changed.unpaidChange) {
    await forgetDropped(shop, before)
    return settled(shop, before)
  }
  await dropUnpaid(shop, changed.unpaidChange.invoice)
  if (pendingPlan !== null)
    await outdatedIfRefused(() => subscriptions.changeAtPeriodEnd(providerId, priceKeyOf(pendingPlan)))
  await settled(shop, before)
  throw refused('Your bank didn’t take the payment, so your plan hasn’t changed.')
}

/** Else the provider tries it again, and changes the plan of somebody who has read that it hasn’t changed. */
const dropUnpaid = ({ billing }: Shop, invoice: string) =>
  outdatedIfRefused(() => billing.invoices.makeVoid(invoice))

/** Noted first, so that whatever dies on the way, somebody is asked whether it still counts. */
async function noteDropped({ db }: Shop, { id, pendingPlan, pendingAt }: SubscriptionRow): Promise<void> {
  if (pendingPlan !== null)
    await changeSubscription(db, id, { droppedPlan: pendingPlan, droppedAt: pendingAt })
}

const forgetDropped = ({ db }: Shop, { id }: SubscriptionRow) =>
  changeSubscription(db, id, { droppedPlan: null, droppedAt: null })

const nextOf = ({ nextMinor, validUntil }: SubscriptionRow) =>
  nextMinor === null ? null : { at: validUntil.toISOString(), amountMinor: nextMinor }

/** A call that the provider's state forbids came from a page that is out of date. */
async function outdatedIfRefused<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PaymentConflict) throw outdated('Your membership has changed. Please look again.')
    throw error
  }
}

const settled = async (shop: Shop, row: AtProvider): Promise<SubscriptionRow> =>
  (await settleSubscription(shop, row.providerId)) ?? row

type Addressee = NonNullable<Awaited<ReturnType<typeof memberOf>>>

/** To the member, in a transaction of its own: the change itself is the provider's, and is not undone. */
async function mailMember(
  { db }: Shop,
  { id, userId }: SubscriptionRow,
  letter: (tx: Db, to: Addressee) => Promise<unknown>,
): Promise<void> {
  if (userId === null) return
  await db.transaction(async (tx) => {
    await lockSubscription(tx, id)
    const person = await memberOf(tx, userId)
    if (person) await letter(tx, person)
  })
}

/** Kept with the plan and the day alone: whose it was is known to nobody. A second answer changes nothing. */
export async function sayWhyLeaving(
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
