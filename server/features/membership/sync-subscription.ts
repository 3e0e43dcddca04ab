import type { Db } from '../../db/open.ts'
import { inTime } from '../../integrations/stripe/deadline.ts'
import { planOfKey } from '../../integrations/stripe/prices.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import { NotAtProvider, PaymentConflict, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Subscription, SubscriptionState } from '../../integrations/stripe/subscriptions.ts'
import type { Shop } from '../../shop.ts'
import { isUuid } from '../../http/schemas.ts'
import { publish } from '../feed/service.ts'
import { recordPaidAttempt } from '../orders/payment-attempts.ts'
import { anchorBefore, type Span } from './months.ts'
import { paymentFailedSince } from './failed-payments.ts'
import { startWaitingGift } from './waiting-gifts.ts'
import { changeSubscription, mayChangeTo, mayFollow } from './subscription-state.ts'
import { completeWithdrawal } from './withdrawal-amounts.ts'
import { grantFor, grantTrial, regrant } from './credits.ts'
import {
  type SubscriptionRow,
  lockAccount,
  selectMember,
  lockSubscription,
  updateCheckedAt,
  selectUnended,
} from './queries.ts'
import { paidForBy, type PaidInvoice, sellInvoice } from './invoice-orders.ts'
import { fetchProviderState, type ProviderSnapshot, returnedPeriods } from './provider-state.ts'
import {
  nextSyncNumber,
  selectByProvider,
  selectInvoiceOrders,
  selectInvoices,
  selectReservation,
  selectUserOfCustomer,
  type SoldInvoice,
  deleteTrial,
} from './billing-queries.ts'
import { mailTransition, type Transition } from './transition-emails.ts'
import { endIfTrialUsed } from './trials.ts'
import { saveCard } from './saved-cards.ts'
import { revokeCredits } from './credit-queries.ts'
import { requestRefund, closeRefund, sendRefund } from '../refunds/service.ts'
import type { RefundRow } from '../refunds/queries.ts'

/** The provider's states in the terms of the API (OP-78). */
export const STATUS_OF_PROVIDER_STATE = {
  incomplete: 'incomplete',
  expired: 'incomplete_expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  ended: 'canceled',
} as const satisfies Record<SubscriptionState, SubscriptionRow['status']>

/**
 * Webhook events are only hints: queries the provider and stores its answer under the row's lock. Safe at any time.
 * @returns undefined if the subscription doesn't belong to this shop
 * @throws {NotAtProvider}
 */
export function syncSubscription(
  shop: Shop,
  providerId: string,
  payment?: Payment,
): Promise<SubscriptionRow | undefined> {
  let queue = QUEUES.get(shop.db)
  if (!queue) QUEUES.set(shop.db, (queue = oneAtATime()))
  // It may have to wait for a sync that another request has started.
  return inTime(queue(providerId, () => syncNow(shop, providerId, payment)))
}

/** One for each shop, because a test opens several. */
const QUEUES = new WeakMap<Db, ReturnType<typeof oneAtATime<SubscriptionRow | undefined>>>()

/** Calls the provider at most four times for one new invoice, and twice if nothing is new (`questions.test.ts`). */
async function syncNow(
  shop: Shop,
  providerId: string,
  payment: Payment | undefined,
): Promise<SubscriptionRow | undefined> {
  // Take the number before querying: a query with a higher number sees everything that this one sees.
  const settlement = await nextSyncNumber(shop.db)
  const found = await shop.billing.subscriptions.retrieve(providerId)
  const row = await selectByProvider(shop.db, providerId)
  const id = row?.id ?? found.metadata.subscription
  if (id === undefined || !isUuid(id)) return undefined
  const subscription = await endIfTrialUsed(shop, id, await cancelSupersededJoin(shop, id, found))
  const known = new Set((await selectInvoiceOrders(shop.db, id)).keys())
  const answer = { settlement, ...(await fetchProviderState(shop, subscription, { row, known, payment })) }
  // A plan change may grant credits again that a dispute had revoked.
  const isChanged = answer.paid.some(({ invoice }) => invoice.reason === 'changed')
  const disputed = isChanged && row?.suspendedAt ? await returnedPeriods(shop, id) : []
  const snapshot = { ...answer, disputed }
  const after = await shop.db.transaction((tx) => storeProviderState(tx, shop, id, snapshot))
  if (after?.supersededAt && after.providerId === providerId) return endSupersededJoin(shop, after, snapshot)
  if (after?.status === 'canceled' && after.userId !== null)
    await startWaitingGift(shop, after.userId, shop.clock.now())
  return after
}

async function storeProviderState(
  tx: Db,
  shop: Shop,
  id: string,
  snapshot: ProviderSnapshot,
): Promise<SubscriptionRow | undefined> {
  const owner = (await selectReservation(tx, id))?.userId
  // Lock the account before its memberships, never after.
  if (owner) await lockAccount(tx, owner)
  const before = await lockSubscription(tx, id)
  if (!before) return undefined
  // The provider made a second subscription for this row. Its client secret was given to no one, so it is ignored.
  if (before.providerId !== null && before.providerId !== snapshot.subscription.id) return before
  // Another server has stored the answer of a later query, so this one is out of date.
  if (before.settlement !== null && before.settlement > snapshot.settlement) return before
  const now = shop.clock.now()
  const { settlement, quotedFor } = snapshot
  await updateCheckedAt(tx, id)
  const status = STATUS_OF_PROVIDER_STATE[snapshot.subscription.state]
  if (!mayFollow(before.status, status)) {
    if (before.contradictedBy === status) return before
    // Refusing the webhook event would make the provider repeat it for days, and in the end stop sending events.
    shop.log.error(
      { subscription: id, from: before.status, to: status },
      'a membership cannot change like this',
    )
    return changeSubscription(tx, id, { contradictedBy: status, contradictedAt: now })
  }
  if (!(await mayChangeTo(tx, before, status, now)))
    return changeSubscription(tx, id, {
      providerId: snapshot.subscription.id,
      supersededAt: before.supersededAt ?? now,
      settlement,
    })
  const state = {
    ...columnsOf(before, snapshot),
    settlement,
    quotedFor,
    supersededAt: null,
    contradictedBy: null,
    contradictedAt: null,
  }
  const after = await changeSubscription(tx, id, state)
  if (after.status === 'past_due' && before.status !== 'past_due') shop.metrics.renewals.add(1, 'refused')
  const { userId } = after
  if (userId === null) return after
  const owned = { ...after, userId }
  const { method } = snapshot.subscription
  if (after.savesCard && after.status !== 'incomplete' && method) {
    await saveCard(tx, userId, method, now)
    await changeSubscription(tx, id, { savesCard: false })
  }
  const { plans } = shop.config.details
  const country = (await selectMember(tx, userId))?.country ?? 'GB'
  const known = await selectInvoiceOrders(tx, id)
  const sold: Transition['sold'][number][] = []
  for (const paid of snapshot.paid) {
    if (known.has(paid.invoice.id) || isTrialInvoice(paid, snapshot.subscription)) continue
    const order = await sellInvoice(tx, shop, owned, paid, country)
    if (paid.payment)
      await recordPaidAttempt(
        { ...shop, db: tx },
        { orderId: order.id, subscriptionId: id, intentId: paid.payment.id },
      )
    const { plan, span } = paidForBy(paid.invoice, owned)
    // Another billing interval has another anchor. Invoices for earlier periods count their months from the old one.
    const anchor =
      span.from < owned.anchor ? anchorBefore(spansOf(await selectInvoices(tx, id)), span) : owned.anchor
    const to = { id, userId, plan: plans[plan], anchor }
    if (paid.invoice.reason === 'changed')
      // The plan that was paid for, not the current one: this sync may run while the next period waits for its payment.
      await regrant(tx, to, span, paid.invoice.createdAt)
    else await grantFor(tx, to, span)
    if (paid.invoice.reason === 'renewed') shop.metrics.renewals.add(1, 'paid')
    sold.push({ order, paid, plan })
  }
  for (const { span } of snapshot.disputed) await revokeCredits(tx, id, span, shop.clock.now())
  if (after.status === 'trialing' && after.trialEndsAt)
    await grantTrial(
      tx,
      { id, userId, plan: plans[after.plan], anchor: after.anchor },
      // Not a month of the anchor, because months are counted from the end of the trial.
      { from: after.periodStart, until: after.trialEndsAt },
    )
  await mailTransition(tx, shop, { before, after: owned, sold, snapshot })
  await completeWithdrawal(tx, shop, owned)
  if (isDifferent(before, after) || sold.length > 0)
    await publish(tx, userId, { type: 'membership' }, shop.clock.now())
  return after
}

const spansOf = (invoices: readonly SoldInvoice[]): Span[] =>
  invoices.map(({ periodStart: from, periodEnd: until }) => ({ from, until }))

/** The provider issues a £0 invoice when a trial starts. */
export const isTrialInvoice = (
  { invoice }: Pick<PaidInvoice, 'invoice'>,
  { trialEndsAt }: Pick<Subscription, 'trialEndsAt'>,
): boolean =>
  trialEndsAt !== null &&
  invoice.totalMinor === 0 &&
  invoice.lines.every(({ until }) => until.getTime() <= trialEndsAt.getTime())

export function columnsOf(
  before: SubscriptionRow,
  { subscription, nextMinor }: Pick<ProviderSnapshot, 'subscription' | 'nextMinor'>,
): Partial<SubscriptionRow> {
  const { method, planned, periodStart, periodEnd, trialEndsAt, cancelledAt, cancelsAt, endedAt } =
    subscription
  const status = STATUS_OF_PROVIDER_STATE[subscription.state]
  return {
    providerId: subscription.id,
    plan: planOfKey(subscription.price) ?? before.plan,
    priceMinor: subscription.amountMinor,
    status,
    anchor: subscription.anchor,
    periodStart,
    periodEnd,
    trialEndsAt,
    validUntil: endedAt ?? cancelsAt ?? (status === 'trialing' ? (trialEndsAt ?? periodEnd) : periodEnd),
    canceledAt: cancelsAt === null && endedAt === null ? null : (cancelledAt ?? endedAt),
    endedAt,
    pendingPlan: planned ? planOfKey(planned.price) : null,
    pendingAt: planned?.at ?? null,
    nextMinor,
    paymentFailedAt: paymentFailedSince(before, { status, endReason: subscription.endReason, periodStart }),
    paymentType: method?.kind ?? before.paymentType,
    cardLast4: method ? method.last4 : before.cardLast4,
  }
}

const SHOWN = [
  'status',
  'plan',
  'validUntil',
  'canceledAt',
  'pendingPlan',
  'paymentType',
  'cardLast4',
] as const
const isDifferent = (before: SubscriptionRow, after: SubscriptionRow): boolean =>
  SHOWN.some((field) => before[field]?.valueOf() !== after[field]?.valueOf())

export async function syncMembershipsOfCustomer(shop: Shop, customerId: string): Promise<void> {
  const userId = await selectUserOfCustomer(shop.db, customerId)
  if (userId === null) return
  for (const { providerId } of await selectUnended(shop.db, userId))
    if (providerId !== null) await syncSubscription(shop, providerId)
}

export async function syncMembershipsOfMethod(shop: Shop, methodId: string): Promise<void> {
  const customer = await shop.billing.customers.ownerOf(methodId)
  if (customer !== null) await syncMembershipsOfCustomer(shop, customer)
}

export async function syncMembershipOfInvoice(shop: Shop, invoiceId: string): Promise<void> {
  const { subscription } = await shop.billing.invoices.retrieve(invoiceId)
  if (subscription) await syncSubscription(shop, subscription)
}

/** Syncs a superseded join. If the provider doesn't know it, marks it as ended: it can't be paid any more. */
export async function syncSupersededJoin(
  shop: Shop,
  row: SubscriptionRow,
  providerId: string,
): Promise<SubscriptionRow> {
  try {
    return (await syncSubscription(shop, providerId)) ?? row
  } catch (error) {
    if (!(error instanceof NotAtProvider)) throw error
    return changeSubscription(shop.db, row.id, { endedAt: shop.clock.now() })
  }
}

interface Run<T> {
  readonly running: Promise<unknown>
  /** It starts after the current run, so it sees everything that happened before it was requested. */
  next?: Promise<T>
}

/** All calls made during a run share one further run, so ten events about one charge cost two syncs. */
export function oneAtATime<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>()
  const begin = (key: string, work: () => Promise<T>): Promise<T> => {
    const running = work()
    const run: Run<T> = { running }
    runs.set(key, run)
    const over = () => {
      if (runs.get(key) === run && !run.next) runs.delete(key)
    }
    void running.then(over, over)
    return running
  }
  return (key, work) => {
    const run = runs.get(key)
    if (!run) return begin(key, work)
    const start = () => begin(key, work)
    return (run.next ??= run.running.then(start, start))
  }
}

/** Voids the invoice first: a payment in progress then either arrived before, and is synced, or fails. */
async function cancelSupersededJoin(
  { db, billing: { subscriptions, invoices } }: Pick<Shop, 'db' | 'billing'>,
  id: string,
  found: Subscription,
): Promise<Subscription> {
  const isSuperseded = (await selectReservation(db, id))?.supersededAt
  if (!isSuperseded || found.endedAt !== null) return found
  const { state, trialEndsAt, latestInvoice } = found
  try {
    // The £0 invoice of a trial is paid from the start; a trial waits for a payment method instead.
    const runs =
      trialEndsAt === null
        ? latestInvoice !== null && (await invoices.makeVoid(latestInvoice)).state === 'paid'
        : state === 'trialing'
    return await (runs ? subscriptions.retrieve(found.id) : subscriptions.end(found.id))
  } catch (error) {
    if (error instanceof PaymentConflict) return found
    throw error
  }
}

/** Refunds all its payments. `endedAt` is stored last, so that the job repeats what failed. */
async function endSupersededJoin(
  shop: Pick<Shop, 'db' | 'billing' | 'payments' | 'clock' | 'log'>,
  row: SubscriptionRow,
  { subscription, paid }: Pick<ProviderSnapshot, 'subscription' | 'paid'>,
): Promise<SubscriptionRow> {
  if (subscription.state === 'incomplete' || row.endedAt !== null) return row
  const refunds = await shop.db.transaction((tx) => requestRefunds(tx, paid, shop.clock.now()))
  const { endedAt } = await shop.billing.subscriptions.end(subscription.id)
  await deleteTrial(shop.db, row.id)
  const ended = await changeSubscription(shop.db, row.id, { endedAt: endedAt ?? shop.clock.now() })
  for (const { id } of refunds)
    try {
      await closeRefund(shop, await sendRefund(shop, id))
    } catch (error) {
      // The job sends it.
      if (!(error instanceof PaymentsUnavailable)) throw error
    }
  return ended
}

async function requestRefunds(tx: Db, paid: ProviderSnapshot['paid'], now: Date): Promise<RefundRow[]> {
  const refunds: RefundRow[] = []
  for (const { invoice } of paid) {
    const { id: invoiceId, paidMinor: amountMinor } = invoice
    if (amountMinor === 0) continue
    const owed = { reason: 'double-join' as const, key: `double-join:${invoiceId}`, invoiceId, amountMinor }
    refunds.push(await requestRefund(tx, owed, now))
  }
  return refunds
}
