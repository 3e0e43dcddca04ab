import { listPlanPrices } from '#contract/joining.ts'
import * as contract from '#contract/membership.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../wire/serve.ts'
import { givenBy } from '../membership-gifts/rules.ts'
import { givenSubscriptionView } from '../membership-gifts/views.ts'
import { ratesAt } from '../prices/rules.ts'
import { currentOf, detailsOf, invoicesOf, membershipsOf } from './rules.ts'
import { detailsView, invoiceView, planPriceView, subscriptionItem, subscriptionView } from './views.ts'

export function registerMembership(server: ApiServer): void {
  const { db, clock, config } = server.shop

  serve(server, contract.listSubscriptions, async ({ caller, query, url }) => {
    const { page, itemsPerPage } = pageOf(query, 1000)
    const own = (await membershipsOf(db, caller.userId)).map(({ row, orderItem }) =>
      subscriptionView(row, orderItem, config.details.plans),
    )
    const given = (await givenBy(server.shop, caller.userId)).map(givenSubscriptionView)
    const all = [...own, ...given].toSorted((one, two) => two.orderDate.localeCompare(one.orderDate))
    const members = all.slice((page - 1) * itemsPerPage, page * itemsPerPage)
    return hydraList({ type: 'Subscription', url, members, total: all.length, page, itemsPerPage })
  })
  serve(server, contract.getCurrentSubscription, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, clock.now())
    return current && subscriptionItem(current.row, current.orderItem, config.details.plans)
  })
  serve(server, contract.getDefaultPayment, async ({ caller }) => {
    const current = await currentOf(db, caller.userId, clock.now())
    const type = current?.row.paymentType
    return type ? { type, last4: current.row.cardLast4 } : null
  })
  serve(server, contract.getSubscriptionDetails, async ({ caller, params }) =>
    detailsView(await detailsOf(server.shop, caller.userId, params.id, clock.now()), config.details.plans),
  )
  serve(server, contract.listInvoices, async ({ caller, params }) => ({
    invoices: (await invoicesOf(db, caller.userId, params.id)).map(invoiceView),
  }))
  serve(server, listPlanPrices, async ({ countries }) => {
    const rates = ratesAt(config, countries[0], clock.now())
    const sold = Object.values(config.details.plans).filter((plan) => plan.sold)
    return { plans: sold.map((plan) => planPriceView(plan, rates)) }
  })
}
