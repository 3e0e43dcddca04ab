import type { subscriptions } from '#server/db/schema/membership.ts'

type Row = typeof subscriptions.$inferSelect

const BEGAN = new Date('2026-03-01T09:00:00Z')
const ENDS = new Date('2026-04-01T09:00:00Z')

/** The row of a monthly Reader membership paid with a card; not stored. */
export const aMembership = (more: Partial<Row> = {}): Row => ({
  id: '00000000-0000-4000-8000-000000000001',
  userId: '00000000-0000-4000-8000-000000000002',
  plan: 4,
  status: 'active',
  providerId: 'sub_1',
  joinKey: '00000000-0000-4000-8000-000000000003',
  clientSecret: null,
  supersededAt: null,
  setUpId: null,
  orderedAt: BEGAN,
  periodStart: BEGAN,
  periodEnd: ENDS,
  validUntil: ENDS,
  canceledAt: null,
  paymentFailedAt: null,
  anchor: BEGAN,
  trialEndsAt: null,
  pendingPlan: null,
  pendingAt: null,
  droppedPlan: null,
  droppedAt: null,
  nextMinor: null,
  priceMinor: null,
  startNowAt: null,
  withdrawnAt: null,
  withdrawal: 'none',
  leavingSaid: false,
  suspendedAt: null,
  endedAt: null,
  forgottenAt: null,
  checkedAt: null,
  contradictedBy: null,
  contradictedAt: null,
  settlement: null,
  quotedFor: null,
  couponCode: null,
  couponReservedUntil: null,
  gift: false,
  paymentType: 'card',
  cardLast4: '4242',
  percentDiscount: null,
  discountDuration: null,
  discountDurationMonths: null,
  ...more,
})
