import * as contract from '#contract/membership.ts'
import { PLANS } from '#contract/plans.ts'
import { MESSAGES } from '#contract/messages.ts'
import { addressKey } from '../../guards/rate-limit.ts'
import { hydraList, pageOf } from '../../hydra.ts'
import { notFound } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'
import { findDiscount, isActive, lookAtCode } from '../discounts/rules.ts'
import { isForPlan, planPrice } from './plan-price.ts'
import { currentOf, detailsOf, invoicesOf, membershipsOf } from './rules.ts'
import { detailsView, invoiceView, subscriptionItem, subscriptionView } from './views.ts'

export function registerMembership(room: Room): void {
  const { db, now } = room.shop

  serve(room, contract.listSubscriptions, async ({ caller, query, url }) => {
    const { page, itemsPerPage } = pageOf(query, 1000)
    const all = await membershipsOf(db, caller.userId)
    const members = all
      .slice((page - 1) * itemsPerPage, page * itemsPerPage)
      .map(({ row, orderItem }) => subscriptionView(row, orderItem))
    return hydraList({ type: 'Subscription', url, members, total: all.length, page, itemsPerPage })
  })
  serve(room, contract.getCurrentSubscription, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, now())
    return current && subscriptionItem(current.row, current.orderItem)
  })
  serve(room, contract.getDefaultPayment, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, now())
    const type = current?.row.paymentType
    return type ? { type, last4: current.row.cardLast4 } : null
  })
  serve(room, contract.getSubscriptionDetails, async ({ caller, params }) =>
    detailsView(await detailsOf(db, caller.userId, params.id, now())),
  )
  serve(room, contract.listInvoices, async ({ caller, params }) => ({
    invoices: (await invoicesOf(db, caller.userId, params.id)).map(invoiceView),
  }))

  serve(room, contract.planDiscount, async ({ params, query, caller, request }) => {
    const who = caller?.userId ?? addressKey(request.ip)
    const row = await lookAtCode(
      db,
      { who, now: now() },
      () => findDiscount(db, params.code),
      (found) => found === undefined,
    )
    if (!row) throw notFound()
    const plan = PLANS[query.plan]
    const valid = isActive(row, now()) && isForPlan(row, plan)
    const discountMinor = planPrice(plan, valid ? row : null)
    return {
      valid,
      message: valid ? null : MESSAGES.discountNotValid,
      plan: plan.id,
      price: plan.priceMinor / 100,
      discountPrice: discountMinor / 100,
      relative_discount: valid ? row.percent : null,
      discount_amount: valid && row.amountMinor !== null ? row.amountMinor / 100 : null,
      discountDuration: valid ? (row.duration ?? 'once') : null,
      discountDurationMonths: valid ? row.durationMonths : null,
      free: valid && discountMinor === 0,
    }
  })
}
