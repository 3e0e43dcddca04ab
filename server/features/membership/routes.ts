import * as joining from '#contract/joining.ts'
import { listPlanPrices } from '#contract/joining.ts'
import * as contract from '#contract/membership.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { ratesAt, pence, pounds } from '../prices/pricing.ts'
import { currentOf, detailsOf, invoicesOf } from './service.ts'
import { detailsView, invoiceView, planPriceView, subscriptionItem, plannedView } from './serializers.ts'
import * as changes from '#contract/membership-changes.ts'
import { wholeList } from '#contract/calculations/hydra-list.ts'
import { notFound, unprocessable, totalChanged } from '../../http/http-errors.ts'
import type { Caller } from '../../auth/access.ts'
import { refuseElsewhere } from '../../auth/country.ts'
import { refuseUnproved } from '../../auth/recent-proof.ts'
import {
  billedSubscription,
  cancelMembership,
  changePlan,
  previewPlanChange,
  resumeMembership,
  recordLeavingReason,
} from './change-plan.ts'
import { findBySecret, methodOf, openSetUp, payAgain, payWith, syncSetUp } from './payment-methods.ts'
import { join, joinFree } from './join.ts'
import { withdraw } from './withdraw.ts'
import * as methods from '#contract/payment-methods.ts'
import { removeSavedCard, savedCardsOf } from './saved-cards.ts'

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

export function registerBilling(server: ApiServer): void {
  const { shop } = server
  const { db, clock, config } = shop
  const shown = async (userId: string, id: string) => {
    const { row, orderItem } = await detailsOf(shop, userId, id, clock.now())
    return subscriptionItem(row, orderItem, config.details.plans)
  }
  serve(server, methods.listPaymentMethods, async ({ caller, url }) =>
    wholeList('PaymentMethod', url, await savedCardsOf(shop, caller.userId)),
  )
  serve(server, methods.removePaymentMethod, async ({ caller, params }) => {
    await removeSavedCard(shop, caller.userId, params.id)
    return undefined
  })
  serve(server, joining.createTrial, async ({ caller, body, countries }) => {
    refuseElsewhere(config, countries)
    if (body.saveCard) await refuseUnproved(shop, caller)
    const { plan, days } = config.details.trial
    const { priceMinor } = config.details.plans[plan]
    if ((pence(body.price) ?? priceMinor) !== priceMinor || (body.days ?? days) !== days) throw totalChanged()
    const { row, clientSecret } = await join(shop, {
      userId: caller.userId,
      plan,
      code: null,
      trial: true,
      shownMinor: undefined,
      // A trial is free, so the law does not require an express request to start it now.
      startNow: body.startNow ?? true,
      savesCard: body.saveCard ?? false,
    })
    return {
      id: row.id,
      paymentIntent: clientSecret,
      amount: 0,
      done: clientSecret === null,
      returnUrl: `${shop.config.publicUrl}/subscription-successful-trial`,
    }
  })
  serve(server, joining.createWithoutPayment, async ({ caller, body, countries }) => {
    refuseElsewhere(config, countries)
    const { userId } = caller
    const row = await joinFree(shop, {
      userId,
      plan: body.plan,
      code: body.couponCode,
      startNow: body.startNow ?? false,
    })
    return shown(userId, row.id)
  })
  serve(server, joining.returnFromSetUp, async ({ caller, body }) => {
    if (!(await findBySecret(db, body.setupIntent, body.clientSecret))) throw notFound()
    const { outcome, userId, subscriptionId } = await syncSetUp(shop, body.setupIntent)
    return { outcome, subscription: userId === caller?.userId ? subscriptionId : null }
  })

  serve(server, changes.cancelSubscription, async ({ caller, params }) => {
    await cancelMembership(shop, caller.userId, params.id)
    return shown(caller.userId, params.id)
  })
  serve(server, changes.previewChange, async ({ caller, params, body }) => {
    const shownChange = await previewPlanChange(shop, caller.userId, params.id, body.plan)
    const { plan, when, at, amountMinor, addedToNextPayment, next, ends, reckonedAt } = shownChange
    return {
      plan,
      when,
      at: at.toISOString(),
      amount: pounds(amountMinor),
      addedToNextPayment,
      nextPayment: { at: next.at.toISOString(), amount: pounds(next.amountMinor) },
      ends: plannedView(ends),
      reckonedAt: reckonedAt.toISOString(),
    }
  })
  const payBy = async (caller: Caller, id: string, given: string) => {
    await refuseUnproved(shop, caller)
    const { userId } = caller
    const row = await billedSubscription(shop, userId, id)
    await payWith(shop, row, await methodOf(shop, userId, given))
    return shown(userId, id)
  }
  serve(server, changes.changeSubscription, async ({ caller, params, body }) => {
    const { userId } = caller
    if (body.plan !== undefined)
      await changePlan(shop, userId, params.id, {
        plan: body.plan,
        amountMinor: pence(body.amount),
        reckonedAt: body.reckonedAt === undefined ? undefined : new Date(body.reckonedAt),
      })
    else if (body.paymentMethod !== undefined) return payBy(caller, params.id, body.paymentMethod)
    else if (body.canceledAt === null) await resumeMembership(shop, userId, params.id)
    else throw unprocessable('', 'Please say what should change.')
    return shown(userId, params.id)
  })
  serve(server, changes.withdrawFromSubscription, async ({ caller, params, body }) => {
    await withdraw(shop, caller.userId, params.id, pence(body.amount) ?? 0)
    return shown(caller.userId, params.id)
  })
  serve(server, changes.updatePaymentMethod, ({ caller, params, body }) =>
    payBy(caller, params.id, body.paymentMethod),
  )
  serve(server, changes.payAgain, ({ caller, params }) => payAgain(shop, caller.userId, params.id))
  serve(server, changes.sayWhyLeaving, async ({ caller, params, body }) => {
    await recordLeavingReason(shop, caller.userId, params.id, body.reason)
    return undefined
  })
  serve(server, changes.setPaymentMethod, ({ caller, params, body }) =>
    payBy(caller, params.id, body.paymentMethod),
  )
  serve(server, changes.listSubscriptionIntents, async ({ caller, url }) => {
    await refuseUnproved(shop, caller)
    const { setUp } = await openSetUp(shop, caller.userId)
    const member = {
      '@id': `/api/subscription_intents/${setUp.id}`,
      '@type': 'SubscriptionIntent' as const,
      id: setUp.id,
      clientSecret: setUp.clientSecret,
    }
    return wholeList('SubscriptionIntent', url, [member])
  })
  serve(server, changes.getSetupIntent, async ({ caller }) => {
    await refuseUnproved(shop, caller)
    const { setUp } = await openSetUp(shop, caller.userId)
    return { setup_intent: { client_secret: setUp.clientSecret }, payment_method: setUp.method?.id ?? null }
  })
}
