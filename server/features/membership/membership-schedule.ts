import type { BusinessTime } from '../../clock.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { planInWords, PLANS } from '#contract/plans.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { mailMember } from './mail-member.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { startWaitingGift } from './waiting-gifts.ts'
import { changeSubscription } from './subscription-state.ts'
import { daysAfter, monthsAfter, monthsBetween } from './months.ts'
import { graceEnd } from './failed-payments.ts'
import { renewalPrice } from './next-payment.ts'
import { type SubscriptionRow, lockSubscription } from './queries.ts'
import { type Due, selectCustomer, selectDue, selectNextDue, selectSuperseded } from './billing-queries.ts'
import { syncSupersededJoin } from './sync-subscription.ts'

export const nextOfMembershipCalendar = (shop: Pick<Shop, 'db'>, now: BusinessTime): Promise<Date | null> =>
  selectNextDue(shop.db, now)

export async function runMembershipCalendar(shop: Shop, signal?: AbortSignal): Promise<void> {
  const now = shop.clock.now()
  const each = (due: Due, work: (row: SubscriptionRow) => Promise<void>) =>
    forEachDue(
      eachRow((page) => selectDue(shop.db, due, { now, ...page }), idOf),
      work,
      {
        log: shop.log,
        signal,
        problem: 'work that was due for a membership failed',
        about: ({ id }) => ({ subscription: id, due }),
      },
    )
  await each('lapsed', (row) => end(shop, row))
  await each('trialEnding', (row) => remindOfTrial(shop, row, now))
  await each('freeEnding', (row) =>
    mailMember(shop.db, row.userId, ({ firstName }) => ({
      kind: 'membership_ending',
      key: `membership_ending:${row.id}`,
      data: { firstName, plan: nameOf(shop, row), validUntil: row.validUntil.toISOString() },
    })),
  )
  await each('renewing', (row) => remind(shop, row))
  await each('graceEnding', (row) => warnOfGrace(shop, row))
  await endSuperseded(shop, signal)
}

const nameOf = ({ config }: Shop, { plan }: SubscriptionRow) => planInWords(config.details.plans[plan])
const idOf = ({ id }: SubscriptionRow) => id

async function remindOfTrial(shop: Shop, row: SubscriptionRow, now: BusinessTime): Promise<void> {
  const { plans, trial } = shop.config.details
  const endsAt = row.trialEndsAt!
  const days = now >= daysAfter(endsAt, -3) ? 3 : 7
  // The email about the start of the trial has just said it.
  if (days === 7 && trial.days <= 7) return
  await mailMember(shop.db, row.userId, ({ firstName }) => ({
    kind: 'trial_ending',
    key: `trial_ending:${row.id}:${days}`,
    data: {
      firstName,
      endsAt: endsAt.toISOString(),
      plan: planInWords(plans[row.pendingPlan ?? row.plan]),
      amountMinor: row.nextMinor ?? renewalPrice(row, plans),
      last: days === 3,
    },
  }))
}

async function warnOfGrace(shop: Shop, row: SubscriptionRow): Promise<void> {
  const { providerId: subscription } = row
  const key = `payment_failed_again:${row.id}:${row.paymentFailedAt!.getTime()}`
  // The schedule runs every ten minutes; call the provider only once in these two days.
  if (subscription === null || (await deliveryStatesOf(shop.db, [key])).has(key)) return
  for await (const { state, dueMinor } of shop.billing.invoices.list({ subscription })) {
    if (state !== 'open') continue
    await mailMember(shop.db, row.userId, ({ firstName }) => ({
      kind: 'payment_failed',
      key,
      data: {
        firstName,
        plan: nameOf(shop, row),
        amountMinor: dueMinor,
        benefitsUntil: graceEnd(row.paymentFailedAt!).toISOString(),
        subscriptionId: row.id,
        last: true,
      },
    }))
    return
  }
}

/** A reminder is sent 14 days before each yearly charge, and every six months before a monthly one. */
export function isRemindedOf({
  plan,
  anchor,
  periodEnd,
}: Pick<SubscriptionRow, 'plan' | 'anchor' | 'periodEnd'>): boolean {
  const months = monthsBetween(anchor, periodEnd)
  const isWhole = monthsAfter(anchor, months).getTime() === periodEnd.getTime()
  return PLANS[plan].yearly || (months > 0 && months % 6 === 0 && isWhole)
}

async function remind(shop: Shop, row: SubscriptionRow): Promise<void> {
  if (!isRemindedOf(row)) return
  await mailMember(shop.db, row.userId, ({ firstName }) => ({
    kind: 'membership_reminder',
    key: `membership_reminder:${row.id}:${row.periodEnd.getTime()}`,
    data: {
      firstName,
      plan: nameOf(shop, row),
      at: row.periodEnd.toISOString(),
      amountMinor: row.nextMinor ?? renewalPrice(row, shop.config.details.plans),
    },
  }))
}

async function end(shop: Shop, { id }: SubscriptionRow): Promise<void> {
  const userId = await shop.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, id)
    if (!row || row.status !== 'active' || row.validUntil > shop.clock.now()) return null
    await changeSubscription(tx, id, { status: 'canceled', endedAt: row.validUntil })
    if (row.userId === null) return null
    await mailMember(tx, row.userId, ({ firstName }) => ({
      kind: 'membership_ended',
      key: `membership_ended:${id}`,
      data: { firstName, plan: nameOf(shop, row), unpaid: false },
    }))
    await publish(tx, row.userId, { type: 'membership' }, shop.clock.now())
    return row.userId
  })
  // In a separate transaction: lock the account before its memberships, never after.
  if (userId) await startWaitingGift(shop, userId, shop.clock.now())
}

/** A join that has no subscription at the provider after this time will not get one. */
const BEGUN_WITHIN_MS = HOUR_MS

async function endSuperseded(shop: Shop, signal: AbortSignal | undefined): Promise<void> {
  const superseded = eachRow((page) => selectSuperseded(shop.db, { userId: null, ...page }), idOf)
  const endJoin = async (row: SubscriptionRow) => {
    const providerId = row.providerId ?? (await begunFor(shop, row))
    if (providerId !== null) await syncSupersededJoin(shop, row, providerId)
    else if (shop.clock.now().getTime() - row.supersededAt!.getTime() > BEGUN_WITHIN_MS)
      await changeSubscription(shop.db, row.id, { endedAt: shop.clock.now() })
  }
  await forEachDue(superseded, endJoin, {
    log: shop.log,
    signal,
    problem: 'a superseded join could not be ended',
    about: ({ id }) => ({ subscription: id }),
  })
}

/** The server died before it stored the provider's id; the subscription's metadata names the row. */
async function begunFor({ db, billing }: Shop, { id, userId }: SubscriptionRow): Promise<string | null> {
  const customer = userId === null ? null : await selectCustomer(db, userId)
  if (customer === null) return null
  for await (const { id: providerId, metadata } of billing.subscriptions.list({ customer }))
    if (metadata.subscription === id) return providerId
  return null
}
