import { MESSAGES } from '#contract/messages.ts'
import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { DiscountRow } from '../discounts/queries.ts'
import { publish } from '../feed/service.ts'
import { changeSubscription } from './subscription-state.ts'
import { daysAfter, monthsAfter } from './months.ts'
import { grantFor } from './credits.ts'
import { type SubscriptionRow, lockAccount, selectMember, lockSubscription } from './queries.ts'
import { WITHDRAW_DAYS } from './withdrawal-amounts.ts'
import { freeze } from '../orders/service.ts'
import { recordPaid } from '../orders/fulfilment.ts'
import { ratesAt, vatPercentOf } from '../prices/vat.ts'
import { joinSuperseded } from './join-eligibility.ts'
import { trialHash } from './trials.ts'
import { hadTrial, insertInvoice, insertTrials } from './billing-queries.ts'

/**
 * Each account can use a code for a fully paid membership once.
 *
 * @returns the hash to record the use with
 * @throws 422 if the account has used it
 */
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
 * Starts a membership that a code pays in full (OP-65). There is no stored payment method, so it does not renew; the
 * schedule ends it. Like every free order, it has an order of £0.00.
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
    // A second request of the same join has come first.
    if (before.status !== 'incomplete') return before
    const plan = shop.config.details.plans[before.plan]
    const hash = await refuseUsed(tx, shop, { userId, code: discount.code })
    const person = await selectMember(tx, userId)
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
