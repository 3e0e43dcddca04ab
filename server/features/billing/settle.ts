import type { Db } from '../../db/open.ts'
import { isUuid } from '../../wire/schemas/is-uuid.ts'
import type { Invoice } from '../../outside/stripe/invoices.ts'
import { planOfKey } from '../../outside/stripe/membership-prices.ts'
import type { Payment } from '../../outside/stripe/payments.ts'
import type { Subscription, SubscriptionState } from '../../outside/stripe/subscriptions.ts'
import { publish } from '../feed/rules.ts'
import {
  anchorBefore,
  beginWaiting,
  grantFor,
  grantTrial,
  lockAccount,
  memberOf,
  regrant,
  revokeFor,
  type Span,
} from '../membership/rules.ts'
import { returnedPeriods } from './returned-periods.ts'
import type { Shop } from '../../shop.ts'
import { type PaidInvoice, paidForBy, sellInvoice } from './invoice-order.ts'
import { mailTransition } from './transition-mails.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { endIfSuperseded, endUnreserved, mayChangeTo } from './reservation.ts'
import type { ProviderSnapshot, Transition } from './transition.ts'
import {
  lockSubscription,
  nextSettlement,
  noteChecked,
  selectByProvider,
  selectInvoiceOrders,
  selectInvoices,
  selectReservation,
  selectRunning,
  selectUserOfCustomer,
  type SoldInvoice,
  type SubscriptionRow,
  updateSubscription,
} from './rows.ts'
import { completeWithdrawal } from './withdrawal-refunds.ts'

/** The provider's states in the words of the wire (OP-78). */
const STATUS = {
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
 * Makes a membership here what it is at the provider. Notices are hints (docs/product.md, Memberships): whatever comes, the
 * provider is asked, and what it says is settled under the row's lock. Safe to call at any time, from a notice, from a page
 * and from the job, in any order and any number of times: each invoice is sold once, each month granted once.
 *
 * @returns undefined for a subscription that is none of ours
 * @throws {NotAtProvider}
 */
export function settleSubscription(
  shop: Shop,
  providerId: string,
  /** A payment that was asked for just now. */
  payment?: Payment,
): Promise<SubscriptionRow | undefined> {
  let turns = TURNS.get(shop.db)
  if (!turns) TURNS.set(shop.db, (turns = oneAtATime()))
  return turns(providerId, () => settleNow(shop, providerId, payment))
}

/** Of each shop: a test opens several. */
const TURNS = new WeakMap<Db, ReturnType<typeof oneAtATime<SubscriptionRow | undefined>>>()

/** It asks four times at most where one invoice is new, twice where nothing is (`questions.test.ts`). */
async function settleNow(
  shop: Shop,
  providerId: string,
  payment: Payment | undefined,
): Promise<SubscriptionRow | undefined> {
  // Taken before anything is asked: whoever takes a higher number sees all that this one sees.
  const asking = await nextSettlement(shop.db)
  const found = await shop.billing.subscriptions.retrieve(providerId)
  const row = await selectByProvider(shop.db, providerId)
  const id = row?.id ?? found.metadata.subscription
  if (id === undefined || !isUuid(id)) return undefined
  const subscription = await endIfSuperseded(shop, id, found)
  const known = new Set((await selectInvoiceOrders(shop.db, id)).keys())
  const told = { asking, ...(await ask(shop, subscription, { row, known, payment })) }
  // Credits that a change grants anew may be those that a dispute took.
  const isChanged = told.paid.some(({ invoice }) => invoice.reason === 'changed')
  const disputed = isChanged && row?.suspendedAt ? await returnedPeriods(shop, id) : []
  const said = { ...told, disputed }
  const after = await shop.db.transaction((tx) => settle(tx, shop, id, said))
  if (after?.supersededAt && after.providerId === providerId) return endUnreserved(shop, after, said)
  if (after?.status === 'canceled' && after.userId !== null)
    await beginWaiting(shop.db, after.userId, shop.clock.now())
  return after
}

interface Known {
  readonly row: Quoted | undefined
  /** Invoices that are sold. */
  readonly known: ReadonlySet<string>
  readonly payment: Payment | undefined
}

async function ask(
  { billing, payments }: Pick<Shop, 'billing' | 'payments'>,
  subscription: Subscription,
  { row, known, payment }: Known,
): Promise<Omit<ProviderSnapshot, 'disputed' | 'asking'>> {
  const invoices: Invoice[] = []
  for await (const invoice of billing.invoices.list({ subscription: subscription.id })) invoices.push(invoice)
  const paymentOf = (id: string | null) => (id === null ? null : payments.retrievePayment(id))
  const paid: PaidInvoice[] = []
  for (const invoice of invoices.toReversed())
    if (invoice.state === 'paid' && !known.has(invoice.id)) {
      const isAsked = payment?.state === 'paid' && payment.id === invoice.payment
      paid.push({ invoice, payment: isAsked ? payment : await paymentOf(invoice.payment) })
    }
  const open = invoices.find(({ state, attempts }) => state === 'open' && attempts > 0)
  const failed =
    open && (subscription.state === 'past_due' || subscription.state === 'unpaid')
      ? { invoiceId: open.id, dueMinor: open.dueMinor, payment: await paymentOf(open.payment) }
      : null
  const renews =
    (subscription.state === 'active' || subscription.state === 'trialing') && subscription.cancelsAt === null
  // If nothing renews, the open sum is taken next.
  const nothing = { nextMinor: failed?.dueMinor ?? null, quotedFor: null }
  const next = renews ? await nextSum(billing, subscription, row) : nothing
  return { subscription, paid, failed, ...next }
}

/** As it was quoted before, unless something changed that it hangs on. */
async function nextSum(
  { subscriptions: asked }: Shop['billing'],
  { id, price, planned, discounts, periodEnd, latestInvoice }: Subscription,
  row: Quoted | undefined,
): Promise<Quoted> {
  const quotedFor = [price, planned?.price, ...discounts, periodEnd.toISOString(), latestInvoice].join(' ')
  if (row?.quotedFor === quotedFor) return { nextMinor: row.nextMinor, quotedFor }
  return { nextMinor: (await asked.quoteRenewal(id)).totalMinor, quotedFor }
}

type Quoted = Pick<SubscriptionRow, 'nextMinor' | 'quotedFor'>

async function settle(
  tx: Db,
  shop: Shop,
  id: string,
  said: ProviderSnapshot,
): Promise<SubscriptionRow | undefined> {
  const owner = (await selectReservation(tx, id))?.userId
  // A holder of an account's lock locks its memberships after that, never before.
  if (owner) await lockAccount(tx, owner)
  const before = await lockSubscription(tx, id)
  if (!before) return undefined
  // A second one that was made for it is paid by nobody: its secret was never handed out.
  if (before.providerId !== null && before.providerId !== said.subscription.id) return before
  // Another server asked later and was answered sooner: what was said here is old.
  if (before.settledBy !== null && before.settledBy > said.asking) return before
  const now = shop.clock.now()
  const { asking: settledBy, quotedFor } = said
  await noteChecked(tx, id)
  if (!(await mayChangeTo(tx, before, STATUS[said.subscription.state], now)))
    return updateSubscription(tx, id, {
      providerId: said.subscription.id,
      supersededAt: before.supersededAt ?? now,
      settledBy,
    })
  const state = { ...stateOf(before, said), settledBy, quotedFor, supersededAt: null }
  const after = await updateSubscription(tx, id, state)
  const { userId } = after
  // A closed account has nothing more to be told or granted.
  if (userId === null) return after
  const owned = { ...after, userId }
  const country = (await memberOf(tx, userId))?.country ?? 'GB'
  const known = await selectInvoiceOrders(tx, id)
  const sold: Transition['sold'][number][] = []
  for (const paid of said.paid) {
    if (known.has(paid.invoice.id) || isTrialInvoice(paid, said.subscription)) continue
    const order = await sellInvoice(tx, owned, paid, country)
    const { plan, span } = paidForBy(paid.invoice, owned)
    // Another rhythm has another anchor: what is told later of the time before it has months of its own.
    const anchor =
      span.from < owned.anchor ? anchorBefore(spansOf(await selectInvoices(tx, id)), span) : owned.anchor
    const to = { id, userId, plan, anchor }
    if (paid.invoice.reason === 'changed')
      // The plan it paid for, not the one that runs now: it may be told when the next period waits for its payment.
      await regrant(tx, to, span, paid.invoice.createdAt)
    else await grantFor(tx, to, span)
    sold.push({ order, paid, plan })
  }
  for (const { span } of said.disputed) await revokeFor(tx, id, span, shop.clock.now())
  if (after.status === 'trialing' && after.trialEndsAt)
    await grantTrial(
      tx,
      { id, userId, plan: after.plan, anchor: after.anchor },
      // Months are counted from its end, so it is no month of them.
      { from: after.periodStart, until: after.trialEndsAt },
    )
  await mailTransition(tx, shop, { before, after: owned, sold, said })
  await completeWithdrawal(tx, shop, owned)
  if (isDifferent(before, after) || sold.length > 0)
    await publish(tx, userId, { type: 'membership' }, shop.clock.now())
  return after
}

const spansOf = (invoices: readonly SoldInvoice[]): Span[] =>
  invoices.map(({ periodStart: from, periodEnd: until }) => ({ from, until }))

/** The provider writes one of nothing when a trial begins. */
export const isTrialInvoice = (
  { invoice }: Pick<PaidInvoice, 'invoice'>,
  { trialEndsAt }: Pick<Subscription, 'trialEndsAt'>,
): boolean =>
  trialEndsAt !== null &&
  invoice.totalMinor === 0 &&
  invoice.lines.every(({ until }) => until.getTime() <= trialEndsAt.getTime())

/** A membership as the provider says that it is. */
export function stateOf(
  before: SubscriptionRow,
  { subscription, failed, nextMinor }: Pick<ProviderSnapshot, 'subscription' | 'failed' | 'nextMinor'>,
): Partial<SubscriptionRow> {
  const { method, planned, periodStart, periodEnd, trialEndsAt, cancelledAt, cancelsAt, endedAt } =
    subscription
  const status = STATUS[subscription.state]
  // Also of one that ended because of it, so that its member can read why.
  const hasFailed = status === 'past_due' || status === 'unpaid' || subscription.endReason === 'not_paid'
  return {
    providerId: subscription.id,
    plan: planOfKey(subscription.price) ?? before.plan,
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
    // The first charge that failed, not the last: the days of grace begin once.
    paymentFailedAt: hasFailed ? (before.paymentFailedAt ?? failed?.payment?.createdAt ?? periodStart) : null,
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

/** All that a customer has here: they are gone at the provider, or pay with another card. */
export async function settleCustomer(shop: Shop, customerId: string): Promise<void> {
  const userId = await selectUserOfCustomer(shop.db, customerId)
  if (userId === null) return
  for (const { providerId } of await selectRunning(shop.db, userId))
    if (providerId !== null) await settleSubscription(shop, providerId)
}

/** By how it is paid. */
export async function settleMethod(shop: Shop, methodId: string): Promise<void> {
  const customer = await shop.billing.customers.ownerOf(methodId)
  if (customer !== null) await settleCustomer(shop, customer)
}

/** By its invoice. */
export async function settleInvoice(shop: Shop, invoiceId: string): Promise<void> {
  const { subscription } = await shop.billing.invoices.retrieve(invoiceId)
  if (subscription) await settleSubscription(shop, subscription)
}
