import { MESSAGES } from '#contract/messages.ts'
import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { DiscountRow } from '../discounts/queries.ts'
import { publish } from '../feed/service.ts'
import { lockAccount, memberOf } from './service.ts'
import { changeSubscription, lockSubscription } from './subscription-state.ts'
import { daysAfter, monthsAfter } from './months.ts'
import { grantFor } from './credits.ts'
import { type SubscriptionRow } from './queries.ts'
import { WITHDRAW_DAYS } from './withdrawal-amounts.ts'
import { freeze } from '../orders/service.ts'
import { recordPaid } from '../orders/fulfilment.ts'
import { ratesAt, vatPercentOf } from '../prices/vat.ts'
import { joinSuperseded } from './join-eligibility.ts'
import { trialHash } from './trials.ts'
import { hadTrial, insertInvoice, insertTrials } from './billing-queries.ts'

/** A code that pays a membership whole counts once for an account. */
export async function refuseUsed(
  tx: Db,
  { config }: Pick<Shop, 'config'>,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<string> {
  const hash = trialHash(config, 'account', `${userId}:${code}`)
  if (await hadTrial(tx, [hash], null)) throw refused(MESSAGES.discountAlreadyUsed)
  return hash
}

/**
 * A membership that a code pays whole (OP-65): nothing is stored to pay with, so it does not renew and ends by the calendar.
 * It has an order of £0.00, like every free order.
 */
export const beginPaidByCode = (
  shop: Shop,
  { id, userId }: { readonly id: string; readonly userId: string },
  discount: DiscountRow,
): Promise<SubscriptionRow> =>
  shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const before = await lockSubscription(tx, id)
    if (!before || before.supersededAt !== null) throw joinSuperseded()
    // Another press of the same button.
    if (before.status !== 'incomplete') return before
    const plan = shop.config.details.plans[before.plan]
    const hash = await refuseUsed(tx, shop, { userId, code: discount.code })
    const person = await memberOf(tx, userId)
    if (!person) throw notFound()
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
    const country = person.country ?? 'GB'
    const sold = { kind: 'membership' as const, plan: plan.id }
    const { priceMinor, creditsPerMonth } = plan
    const name = planInWords(plan)
    const order = await freeze(tx, {
      basket: {
        lines: [
          {
            sold,
            title: name,
            originalMinor: priceMinor,
            priceMinor: 0,
            vatPercent: vatPercentOf(sold, ratesAt(shop.config, country, from)),
            vatMinor: 0,
            reduced: true,
            gift: null,
            itemId: null,
          },
        ],
        totalMinor: 0,
        vatMinor: 0,
        beforeMinor: priceMinor,
        code: { code: discount.code, percent: discount.percent },
      },
      source: { id: row.id, buyer: { userId, country } },
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
      to: person.email,
      kind: 'membership_started',
      key: `membership_started:${row.id}`,
      data: {
        firstName: person.firstName,
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
