import { listPlanPrices } from '#contract/joining.ts'
import * as contract from '#contract/membership.ts'
import { PLANS } from '#contract/plans.ts'
import { hydraList, pageOf } from '../../wire/hydra.ts'
import { type Room, serve } from '../../wire/serve.ts'
import { givenBy } from '../membership-gifts/rules.ts'
import { givenSubscriptionView } from '../membership-gifts/views.ts'
import { currentOf, detailsOf, invoicesOf, membershipsOf } from './rules.ts'
import { detailsView, invoiceView, planPriceView, subscriptionItem, subscriptionView } from './views.ts'

export function registerMembership(room: Room): void {
  const { db, clock } = room.shop

  serve(room, contract.listSubscriptions, async ({ caller, query, url }) => {
    const { page, itemsPerPage } = pageOf(query, 1000)
    const own = (await membershipsOf(db, caller.userId)).map(({ row, orderItem }) =>
      subscriptionView(row, orderItem),
    )
    const given = (await givenBy(room.shop, caller.userId)).map(givenSubscriptionView)
    const all = [...own, ...given].toSorted((one, two) => two.orderDate.localeCompare(one.orderDate))
    const members = all.slice((page - 1) * itemsPerPage, page * itemsPerPage)
    return hydraList({ type: 'Subscription', url, members, total: all.length, page, itemsPerPage })
  })
  serve(room, contract.getCurrentSubscription, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, clock.now())
    return current && subscriptionItem(current.row, current.orderItem)
  })
  serve(room, contract.getDefaultPayment, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, clock.now())
    const type = current?.row.paymentType
    return type ? { type, last4: current.row.cardLast4 } : null
  })
  serve(room, contract.getSubscriptionDetails, async ({ caller, params }) =>
    detailsView(await detailsOf(db, caller.userId, params.id, clock.now())),
  )
  serve(room, contract.listInvoices, async ({ caller, params }) => ({
    invoices: (await invoicesOf(db, caller.userId, params.id)).map(invoiceView),
  }))
  serve(room, listPlanPrices, async () => ({ plans: Object.values(PLANS).map(planPriceView) }))
}
