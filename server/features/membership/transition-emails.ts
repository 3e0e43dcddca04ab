import { DAY_MS } from '#contract/durations.ts'
import { type PlanId, planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { daysAfter } from './months.ts'
import { hasFailedPayment, mailFailedPayment } from './failed-payments.ts'
import { hasStarted } from './entitlement.ts'
import { renewalPrice } from './next-payment.ts'
import { type SubscriptionRow, selectMember } from './queries.ts'
import { WITHDRAW_DAYS } from './withdrawal-amounts.ts'
import type { OrderRow as Order } from '../orders/queries.ts'
import type { PaidInvoice } from './invoice-orders.ts'
import { coversForMember } from './month-emails.ts'
import { needsBuyer, type ProviderSnapshot } from './provider-state.ts'

export interface Transition {
  readonly before: SubscriptionRow
  readonly after: SubscriptionRow & { readonly userId: string }
  readonly sold: readonly { readonly order: Order; readonly paid: PaidInvoice; readonly plan: PlanId }[]
  readonly snapshot: ProviderSnapshot
}

/** Their keys make sure that each change is emailed once, however often it is synced. */
export async function mailTransition(
  tx: Db,
  { clock, config }: Pick<Shop, 'clock' | 'config'>,
  { before, after, sold, snapshot }: Transition,
): Promise<void> {
  const member = await selectMember(tx, after.userId)
  if (!member) return
  const to = member.email
  const { firstName } = member
  const { plans } = config.details
  const plan = plans[after.plan]
  const next =
    after.nextMinor === null || hasFailedPayment(after)
      ? null
      : { at: after.validUntil.toISOString(), amountMinor: after.nextMinor }

  const hadStarted = hasStarted(before.status)
  if (after.status === 'trialing' && !hadStarted)
    await queueMail(tx, {
      to,
      kind: 'trial_started',
      key: `trial_started:${after.id}`,
      data: {
        firstName,
        endsAt: (after.trialEndsAt ?? after.periodEnd).toISOString(),
        amountMinor: after.nextMinor ?? renewalPrice(after, plans),
        creditsPerMonth: plan.creditsPerMonth,
        days: Math.round(
          ((after.trialEndsAt ?? after.periodEnd).getTime() - after.periodStart.getTime()) / DAY_MS,
        ),
        plan: plan.type,
        yearly: plan.yearly,
      },
    })
  for (const { order, paid, plan: soldPlan } of sold) {
    const path = `/orders/${order.id}`
    const { creditsPerMonth } = plans[soldPlan]
    const name = planInWords(plans[soldPlan])
    if (paid.invoice.reason === 'joined')
      await queueMail(tx, {
        to,
        kind: 'membership_started',
        key: `membership_started:${after.id}`,
        data: {
          firstName,
          plan: name,
          amountMinor: order.totalMinor,
          next,
          validUntil: after.validUntil.toISOString(),
          creditsPerMonth,
          path,
          withdrawUntil: daysAfter(paid.invoice.paidAt ?? clock.now(), WITHDRAW_DAYS).toISOString(),
        },
      })
    else if (paid.invoice.reason === 'changed')
      await queueMail(tx, {
        to,
        kind: 'plan_changed',
        key: `plan_changed:${paid.invoice.id}`,
        data: {
          firstName,
          from: planInWords(plans[before.plan]),
          to: name,
          at: null,
          amountMinor: order.totalMinor,
          more: Math.max(0, creditsPerMonth - plans[before.plan].creditsPerMonth),
          next,
        },
      })
    else
      await queueMail(tx, {
        to,
        kind: 'membership_renewed',
        key: `membership_renewed:${paid.invoice.id}`,
        data: {
          firstName,
          plan: name,
          amountMinor: order.totalMinor,
          vatMinor: order.vatMinor,
          validUntil: after.validUntil.toISOString(),
          creditsPerMonth,
          next,
          orderNumber: order.number,
          path,
          covers: creditsPerMonth === 0 ? [] : await coversForMember(tx, after.userId, member),
        },
      })
  }
  if (snapshot.failed && after.paymentFailedAt) {
    const { payment, invoiceId, dueMinor } = snapshot.failed
    await mailFailedPayment(tx, {
      to,
      firstName,
      plan: planInWords(plan),
      subscriptionId: after.id,
      failedAt: after.paymentFailedAt,
      invoiceId,
      dueMinor,
      needsBuyer: payment !== null && needsBuyer(payment),
      now: clock.now(),
    })
  }
  if (after.status === 'canceled' && hadStarted && before.status !== 'canceled' && after.withdrawnAt === null)
    await queueMail(tx, {
      to,
      kind: 'membership_ended',
      key: `membership_ended:${after.id}`,
      data: { firstName, plan: planInWords(plan), unpaid: snapshot.subscription.endReason === 'not_paid' },
    })
}
