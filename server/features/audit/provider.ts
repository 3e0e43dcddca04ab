import { planOfKey } from '../../integrations/stripe/prices.ts'
import { ifKnown } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { STATUS_OF_PROVIDER_STATE as STATUS_AT_PROVIDER } from '../membership/sync-subscription.ts'
import { formatPounds } from '../../format.ts'
import {
  type Finding,
  type AuditedMembership,
  type AuditedOrder,
  selectCustomer,
  selectMembershipsOf,
  selectOrderWithoutAccount,
  selectOrdersOf,
  selectSoldInvoices,
  type SoldInvoice,
} from './queries.ts'

/** Only the newest orders and memberships of an account: earlier audits compared the older ones. */
const ORDERS = 40
const MEMBERSHIPS = 10
/** Skip recent payments: a webhook, a page or the reconciliation may still complete them. */
const SETTLED_AFTER_MINUTES = 15

interface Asking {
  readonly shop: Pick<Shop, 'db' | 'clock' | 'payments' | 'billing'>
  /** Call before each request: it waits for the rate limit. Throws if the run was aborted. */
  readonly turn: () => Promise<void>
}

export async function compareWithProvider(asking: Asking, userId: string): Promise<Finding[]> {
  const { db, clock } = asking.shop
  const found: Finding[] = []
  const report = (kind: string, id: string, what: string, remedy: string) =>
    void found.push({ key: `${kind}:${id}`, userId, orderId: null, what, remedy })
  for (const order of await selectOrdersOf(db, userId, clock.now(), ORDERS))
    await comparePayment(asking, order, report)
  const memberships = await selectMembershipsOf(db, userId, MEMBERSHIPS)
  for (const membership of memberships) await compareMembership(asking, membership, report)
  await compareCustomer(asking, { userId, memberships }, report)
  return found
}

export async function compareOrderWithProvider(asking: Asking, orderId: string): Promise<Finding[]> {
  const found: Finding[] = []
  const report = (kind: string, id: string, what: string, remedy: string) =>
    void found.push({ key: `${kind}:${id}`, userId: null, orderId, what, remedy })
  const order = await selectOrderWithoutAccount(asking.shop.db, orderId, asking.shop.clock.now())
  if (order) await comparePayment(asking, order, report)
  return found
}

type Report = (kind: string, id: string, what: string, remedy: string) => void

async function comparePayment({ shop, turn }: Asking, order: AuditedOrder, report: Report): Promise<void> {
  const { payments } = shop
  const { id, number, intentId, totalMinor, refundedMinor } = order
  const there = `Look at ${intentId} at your payment provider; npm run orders -- show ${number} shows what the shop has.`
  await turn()
  const payment = await ifKnown(payments.retrievePayment(intentId))
  if (payment === undefined) {
    if (order.state === 'paid')
      report(
        'payment-unknown',
        id,
        `Order ${number} is paid, and your payment provider doesn’t know its payment.`,
        there,
      )
    return
  }
  const isPaid = payment.state === 'paid'
  if (!isPaid && order.state === 'paid') {
    report(
      'payment-not-paid',
      id,
      `Order ${number} is paid here, and its payment at your provider is not.`,
      there,
    )
    return
  }
  if (!isPaid) return
  const wentBack = payment.refundedMinor >= payment.amountMinor
  if (order.state !== 'paid') {
    if (!wentBack && order.age > SETTLED_AFTER_MINUTES)
      report(
        'payment-without-order',
        id,
        `${formatPounds(payment.amountMinor)} were paid for order ${number}, which is ${order.state === 'abandoned' ? 'abandoned' : 'still waiting'} here.`,
        `${there} npm run orders -- deliver ${number} --because … delivers it; otherwise pay it back there.`,
      )
    return
  }
  if (payment.amountMinor !== totalMinor)
    report(
      'payment-sum',
      id,
      `Order ${number} costs ${formatPounds(totalMinor)}, and ${formatPounds(payment.amountMinor)} were paid for it.`,
      there,
    )
  // Skip disputes that are open or lost: the bank holds the money, and the to-do list has its own item for them.
  await turn()
  const dispute = payment.disputed ? await payments.disputeOf(intentId) : 'none'
  if (dispute === 'open' || dispute === 'lost') return
  if (Math.min(payment.refundedMinor, totalMinor) !== refundedMinor)
    report(
      'payment-refunded',
      id,
      `${formatPounds(payment.refundedMinor)} of order ${number} went back at your provider, and ${formatPounds(refundedMinor)} here.`,
      `${there} The shop asks again each night; if this stays, compare the refunds one by one.`,
    )
}

async function compareMembership(
  { shop, turn }: Asking,
  membership: AuditedMembership,
  report: Report,
): Promise<void> {
  const { db, billing } = shop
  const { id, providerId } = membership
  const there = `Look at ${providerId} at your payment provider.`
  await turn()
  const known = await ifKnown(billing.subscriptions.retrieve(providerId))
  if (known === undefined) {
    report('membership-unknown-there', id, 'A membership here is not known at your payment provider.', there)
    return
  }
  // Blocked state changes have their own to-do item. The shop itself ends earlier attempts to join.
  if (membership.superseded || membership.contradicted) return
  const status = STATUS_AT_PROVIDER[known.state]
  if (status !== membership.status)
    report(
      'membership-state',
      id,
      `A membership is ${membership.status} here and ${status} at your payment provider.`,
      `${there} The shop asks again each night, and whenever its member opens the page.`,
    )
  const plan = planOfKey(known.price)
  if (plan !== null && plan !== membership.plan && known.state !== 'ended' && known.state !== 'expired')
    report(
      'membership-plan',
      id,
      `A membership has plan ${membership.plan} here and plan ${plan} at your provider.`,
      there,
    )
  const sold = new Map((await selectSoldInvoices(db, id)).map((invoice) => [invoice.invoiceId, invoice]))
  await turn()
  for await (const { id: invoiceId, state, paidMinor } of billing.invoices.list({
    subscription: providerId,
  })) {
    const order = sold.get(invoiceId)
    sold.delete(invoiceId)
    if (state === 'paid') compareInvoice(report, { invoiceId, paidMinor, order, membershipId: id })
    else if (order) reportUnpaid(report, order)
  }
  for (const order of sold.values()) reportUnpaid(report, order)
}

function compareInvoice(
  report: Report,
  {
    invoiceId,
    paidMinor,
    order,
    membershipId,
  }: { invoiceId: string; paidMinor: number; order: SoldInvoice | undefined; membershipId: string },
): void {
  const there = `Look at ${invoiceId} at your payment provider.`
  // The first invoice of a trial has a total of 0 and no order.
  if (!order && paidMinor === 0) return
  if (!order)
    report(
      'charge-without-order',
      invoiceId,
      `${formatPounds(paidMinor)} were charged for a membership, and there is no order for it.`,
      `${there} The shop looks again each night; if it stays, pay it back there. The membership here: ${membershipId}.`,
    )
  else if (order.totalMinor !== paidMinor)
    report(
      'charge-sum',
      invoiceId,
      `Order ${order.number} says ${formatPounds(order.totalMinor)}, and ${formatPounds(paidMinor)} were charged.`,
      there,
    )
}

const reportUnpaid = (report: Report, { invoiceId, number }: SoldInvoice): void =>
  report(
    'order-without-charge',
    invoiceId,
    `Order ${number} of a membership is paid here, and its invoice at your provider is not.`,
    `Look at ${invoiceId} at your payment provider.`,
  )

async function compareCustomer(
  { shop, turn }: Asking,
  { userId, memberships }: { userId: string; memberships: readonly AuditedMembership[] },
  report: Report,
): Promise<void> {
  const customer = await selectCustomer(shop.db, userId)
  if (customer === undefined || memberships.length >= MEMBERSHIPS) return
  const here = new Set(memberships.map(({ providerId }) => providerId))
  await turn()
  for await (const { id, state } of shop.billing.subscriptions.list({ customer }))
    if (!here.has(id) && !['ended', 'expired', 'incomplete'].includes(state))
      report(
        'membership-unknown-here',
        id,
        'A membership runs at your payment provider that the shop doesn’t know.',
        `Look at ${id} there: cancel it and pay back what was charged.`,
      )
}
