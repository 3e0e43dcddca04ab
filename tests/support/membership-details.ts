import type { SubscriptionDetails } from '#contract/membership.ts'

export const AT = '2026-12-03T10:00:00.000Z'

/** A monthly Reader membership, paid with a card, as the API returns it. */
export const membershipDetails = (
  fields: Partial<SubscriptionDetails['subscription']> = {},
  more: Partial<SubscriptionDetails> = {},
): SubscriptionDetails => ({
  subscription: {
    '@context': '/api/contexts/Subscription',
    '@id': '/api/subscriptions/s1',
    '@type': 'Subscription',
    id: 's1',
    plan: 4,
    status: 'active',
    gift: false,
    giftEmail: null,
    giftUser: null,
    claimedAt: null,
    validUntil: AT,
    periodStart: AT,
    periodEnd: AT,
    canceledAt: null,
    orderDate: AT,
    discountDuration: null,
    discountDurationMonths: null,
    percentDiscount: null,
    payment: { type: 'card', amount: 8 },
    cardLast4: '4242',
    orderItem: null,
    ...fields,
  },
  nextPayment: { at: AT, amount: 8, plan: 4 },
  pendingPlan: null,
  droppedPlan: null,
  credits: { left: 1, until: AT, from: null, leavesToPayBack: null, confirmAddressFirst: false },
  withdrawal: null,
  disputedSince: null,
  failedPayment: null,
  endedUnpaid: null,
  ...more,
})
