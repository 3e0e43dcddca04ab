import { listPlanPrices } from '#contract/joining.ts'
import * as contract from '#contract/membership.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { ratesAt } from '../prices/vat.ts'
import { currentOf, detailsOf, invoicesOf } from './service.ts'
import { detailsView, invoiceView, planPriceView, subscriptionItem } from './serializers.ts'

export function registerMembership(server: ApiServer): void {
  const { db, clock, config } = server.shop

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
