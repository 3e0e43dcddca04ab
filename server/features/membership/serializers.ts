import type { User } from '#contract/account.ts'
import type { SubscriptionMember } from '#contract/membership.ts'
import { type Plan, type PlanId, PLANS } from '#contract/plans.ts'
import { pounds, calculatePrices } from '../prices/pricing.ts'
import type { VatRates } from '../../settings/owners-terms.ts'
import type { Invoice, SubscriptionRow } from './queries.ts'
import { nextPaymentOf, type PlannedChange, plannedChange } from './next-payment.ts'
import type { Benefits, Details } from './service.ts'
import { graceEnd, hasFailedPayment } from './failed-payments.ts'

export const benefitsView = (
  { current, subscriptions, hasCredit }: Benefits,
  plans = PLANS,
): Pick<User, 'currentSubscription' | 'subscriptions' | 'hasCredit'> => ({
  currentSubscription: current && {
    id: current.id,
    plan: current.plan,
    status: current.status,
    canceledAt: current.canceledAt?.toISOString() ?? null,
    validUntil: current.validUntil.toISOString(),
    gift: current.gift,
    ...keptPrice(current, plans),
  },
  subscriptions: subscriptions.map((row) => ({
    id: row.id,
    paymentFailed: hasFailedPayment(row),
    ...(hasFailedPayment(row) && row.nextMinor !== null && { amount: pounds(row.nextMinor) }),
    ...(hasFailedPayment(row) &&
      row.paymentFailedAt && { benefitsUntil: graceEnd(row.paymentFailedAt).toISOString() }),
  })),
  hasCredit,
})

const keptPrice = ({ plan, gift, priceMinor }: SubscriptionRow, plans = PLANS) =>
  gift || priceMinor === null || priceMinor === plans[plan].priceMinor ? {} : { price: pounds(priceMinor) }

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** A membership as its own account sees it (ENT-09). `orderItem` is the line that paid for the current period. */
export function subscriptionView(
  row: SubscriptionRow,
  orderItem: string | null,
  plans = PLANS,
): SubscriptionMember {
  return {
    '@id': `/api/subscriptions/${row.id}`,
    '@type': 'Subscription',
    id: row.id,
    plan: row.plan,
    status: row.status,
    gift: row.gift,
    giftEmail: null,
    giftUser: null,
    claimedAt: row.gift ? row.orderedAt.toISOString() : null,
    validUntil: row.validUntil.toISOString(),
    periodStart: row.periodStart.toISOString(),
    periodEnd: row.periodEnd.toISOString(),
    canceledAt: iso(row.canceledAt),
    orderDate: row.orderedAt.toISOString(),
    discountDuration: row.discountDuration,
    discountDurationMonths: row.discountDurationMonths,
    percentDiscount: row.percentDiscount,
    payment: row.paymentType && {
      type: row.paymentType,
      amount: pounds(nextPaymentOf(row, plans)?.amountMinor ?? 0),
    },
    ...keptPrice(row, plans),
    cardLast4: row.cardLast4,
    orderItem,
  }
}

export const subscriptionItem = (row: SubscriptionRow, orderItem: string | null, plans = PLANS) => ({
  '@context': '/api/contexts/Subscription',
  ...subscriptionView(row, orderItem, plans),
})

export const detailsView = (
  {
    row,
    orderItem,
    next,
    droppedPlan,
    creditsLeft,
    creditsUntil,
    confirmAddressFirst,
    leavesToPayBackMinor,
    creditsFrom,
    withdrawal,
    failedPayment,
    endedUnpaid,
  }: Details,
  plans = PLANS,
) => ({
  subscription: subscriptionItem(row, orderItem, plans),
  nextPayment: next && { at: next.at.toISOString(), amount: pounds(next.amountMinor), plan: next.plan },
  pendingPlan: plannedView(plannedChange(row)),
  droppedPlan: plannedView(droppedPlan),
  credits: {
    left: creditsLeft,
    until: iso(creditsUntil),
    from: iso(creditsFrom),
    leavesToPayBack: leavesToPayBackMinor === null ? null : pounds(leavesToPayBackMinor),
    confirmAddressFirst,
  },
  withdrawal: withdrawal && {
    until: withdrawal.until.toISOString(),
    // A disputed membership can't be withdrawn from, so the amount is 0.
    amount: pounds(row.suspendedAt === null ? withdrawal.amountMinor : 0),
    disputed: row.suspendedAt !== null,
    blocked: withdrawal.isBlocked === true,
  },
  disputedSince: iso(row.suspendedAt),
  failedPayment: failedPayment && {
    since: failedPayment.since.toISOString(),
    benefitsUntil: failedPayment.benefitsUntil.toISOString(),
    amount: failedPayment.amountMinor === null ? null : pounds(failedPayment.amountMinor),
  },
  endedUnpaid: endedUnpaid && {
    at: endedUnpaid.at.toISOString(),
    failedAt: endedUnpaid.failedAt.toISOString(),
  },
})

export const plannedView = (planned: PlannedChange | null) =>
  planned && { plan: planned.plan, at: planned.at.toISOString() }

export function planPriceView({ id, priceMinor }: Plan, rates: VatRates) {
  const line = { sold: { kind: 'membership', plan: id }, originalMinor: priceMinor } as const
  const { lines } = calculatePrices([line], null, rates)
  const { vatPercent, vatMinor } = lines[0]!
  return { plan: id, price: pounds(priceMinor), vatPercent, vat: pounds(vatMinor) }
}

export const invoiceView = ({
  orderId,
  orderNumber,
  paidAt,
  paidMinor,
  refundedMinor,
  isDisputed,
  plan,
  from,
}: Invoice) => ({
  order: orderId,
  orderNumber,
  at: (paidAt ?? from).toISOString(),
  amount: pounds(paidMinor),
  refunded: pounds(refundedMinor),
  disputed: isDisputed,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a plan of the table
  plan: plan as PlanId,
})
