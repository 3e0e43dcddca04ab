import { isDeepStrictEqual } from 'node:util'
import { eq, inArray } from 'drizzle-orm'
import { PLANS } from '#contract/plans.ts'
import { credits, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { entitlementOf } from '#server/features/membership/service.ts'
import { vatIn } from '#server/features/prices/pricing.ts'
import { planOfKey } from '#server/integrations/stripe/prices.ts'
import type { Buyer } from './purchases.ts'
import type { MembersShop } from './members.ts'
import { type Charge, promised, type ProviderBooks, sum } from './membership-books.ts'
import { selectOwedTo } from '#server/features/refunds/queries.ts'

/** What the test knows in addition to both databases. */
interface Known {
  /** The number of free audiobooks taken. */
  readonly taken: number
  /** The promised refund of each withdrawal, in pence. */
  readonly withdrawn: ReadonlyMap<string, number>
  /** Invoices that were to be refunded in full at some time, successfully or not. */
  readonly wholes: ReadonlySet<string>
}

type Same = (what: string, here: unknown, there: unknown) => void
type Here = Awaited<ReturnType<typeof readShop>>

/** Where an account's plan, access, free audiobooks or money differ from the provider's records, one line each. */
export async function differences(
  all: Pick<MembersShop, 'shop' | 'sandbox'>,
  { user }: Buyer,
  books: readonly ProviderBooks[],
  known: Known,
): Promise<string[]> {
  const found: string[] = []
  const same: Same = (what, here, there) => {
    if (!isDeepStrictEqual(here, there))
      found.push(`${what}: ${JSON.stringify(here)} here, ${JSON.stringify(there)} there`)
  }
  const here = await readShop(all, user.id, books)
  const alive = books.filter(({ subscription: { state } }) => !IS_OVER.includes(state))
  same('at most one runs', alive.length < 2, true)
  for (const each of books) {
    const row = here.rows.find(({ id }) => id === each.subscription.metadata.subscription)!
    if (row.supersededAt !== null) {
      compareSuperseded(same, row, each)
      continue
    }
    await compareState(same, all, row, each)
    compareSales(same, here, row, each)
    compareAudiobooks(same, here, row, each, known)
  }
  const taken = here.granted.filter(({ spentAt }) => spentAt !== null)
  same('free audiobooks that were had', taken.length, known.taken)
  compareMoneyBack(same, here, books, known)
  await compareAccess(same, all, user.id, here, alive[0])
  return found
}

async function readShop(
  { shop: { db } }: Pick<MembersShop, 'shop'>,
  userId: string,
  books: readonly ProviderBooks[],
) {
  const invoices = books.flatMap((each) => each.invoices.map(({ id }) => id))
  return {
    rows: await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    sold: await db
      .select({
        order: orders,
        invoiceId: subscriptionInvoices.invoiceId,
        of: subscriptionInvoices.subscriptionId,
      })
      .from(subscriptionInvoices)
      .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
      .where(eq(orders.userId, userId)),
    granted: await db.select().from(credits).where(eq(credits.userId, userId)),
    asked:
      invoices.length > 0 ? await db.select().from(refunds).where(inArray(refunds.invoiceId, invoices)) : [],
    owed: await selectOwedTo(db, userId),
  }
}

type Row = Here['rows'][number]

const STATUS = {
  incomplete: 'incomplete',
  expired: 'incomplete_expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  ended: 'canceled',
} as const
const IS_OVER: readonly string[] = ['ended', 'expired']

/** It has ended at both, and everything paid for it was refunded. */
function compareSuperseded(same: Same, row: Row, { subscription, charges }: ProviderBooks): void {
  same('a superseded join', [row.status, row.endedAt !== null], ['incomplete_expired', true])
  same('a superseded join is over', IS_OVER.includes(subscription.state), true)
  for (const { payment } of charges) same('paid beside', payment.refundedMinor, payment.amountMinor)
}

async function compareState(
  same: Same,
  { sandbox }: Pick<MembersShop, 'sandbox'>,
  row: Row,
  { subscription }: ProviderBooks,
): Promise<void> {
  const { id, state, price, planned, cancelsAt, endedAt } = subscription
  same(
    'state',
    [row.status, row.plan, row.pendingPlan, row.endedAt],
    [STATUS[state], planOfKey(price), planned ? planOfKey(planned.price) : null, endedAt],
  )
  same('cancelled', row.canceledAt !== null, cancelsAt !== null || endedAt !== null)
  same('withdrawn is over', row.withdrawnAt === null || state === 'ended', true)
  const renews = (state === 'active' || state === 'trialing') && cancelsAt === null
  if (renews)
    same('next sum', row.nextMinor, (await sandbox.billing.subscriptions.quoteRenewal(id)).totalMinor)
}

/** Every charge has a sale with the same amount, and every refund was recorded. */
function compareSales(same: Same, here: Here, row: Row, { invoices, charges }: ProviderBooks): void {
  const paid = invoices.filter(({ state }) => state === 'paid')
  const its = here.sold.filter(({ of }) => of === row.id)
  same('sold', its.map(({ invoiceId }) => invoiceId).toSorted(), paid.map(({ id }) => id).toSorted())
  for (const { order, invoiceId } of its) {
    const charge = charges.find(({ invoice }) => invoice.id === invoiceId)
    const paidMinor = paid.find(({ id }) => id === invoiceId)?.paidMinor ?? 0
    same('charged', [order.totalMinor, order.vatMinor], [paidMinor, vatIn(paidMinor, 20)])
    same('taken by the bank', charge?.payment.amountMinor ?? 0, paidMinor)
    const backMinor = charge?.dispute === 'lost' ? paidMinor : (charge?.payment.refundedMinor ?? 0)
    same('paid back', order.refundedMinor, backMinor)
  }
}

/** The shop granted what was paid for, usable unless the money was refunded. */
function compareAudiobooks(
  same: Same,
  { granted }: Here,
  row: Row,
  { invoices, charges }: ProviderBooks,
  { wholes }: Known,
): void {
  const own = granted.filter(({ subscriptionId }) => subscriptionId === row.id)
  const paid = invoices.filter(({ state }) => state === 'paid')
  same('free audiobooks', own.length, promised(paid, row.anchor))
  const back = charges.filter(
    ({ payment, dispute }) =>
      payment.refundedMinor >= payment.amountMinor || dispute === 'open' || dispute === 'lost',
  )
  // Fully refunded until the bank returned the refund: if the shop was notified in time, the grants stay revoked.
  const doubtful = charges.filter(({ invoice }) => wholes.has(invoice.id))
  for (const grant of own) {
    const touches = ({ invoice }: Charge) => {
      const { from, until } = invoice.lines.at(-1)!
      return grant.usableUntil > from && grant.usableFrom < until
    }
    const isGone = row.withdrawnAt !== null || back.some(touches)
    if (grant.spentAt === null && (isGone || !doubtful.some(touches)))
      same('taken away', grant.revokedAt !== null, isGone)
  }
}

const total = (all: readonly { readonly amountMinor: number }[]): number =>
  sum(all.map(({ amountMinor }) => amountMinor))

/** Promised withdrawal refunds were paid, or are owed while a dispute forbids them; every refund has a credit note. */
function compareMoneyBack(
  same: Same,
  { asked, sold, owed }: Here,
  books: readonly ProviderBooks[],
  { withdrawn }: Known,
): void {
  const charges = books.flatMap((each) => each.charges)
  for (const { invoiceId, providerId, state, amountMinor } of asked) {
    const charge = charges.find(({ invoice }) => invoice.id === invoiceId)
    const there = charge?.refunds.find(({ id }) => id === providerId)
    if (state !== 'done') same('owed while a bank forbids it', charge?.dispute !== 'none', true)
    else if (providerId !== null) {
      same('refund', 'done', there?.state)
      // It may be less only if the rest had been refunded by hand before.
      const others = total(charge?.refunds.filter(({ id }) => id !== providerId) ?? [])
      const isTheRest = (there?.amountMinor ?? 0) + others >= (charge?.payment.amountMinor ?? 0)
      if (there && !(there.amountMinor < amountMinor && isTheRest))
        same('sum of a refund', amountMinor, there.amountMinor)
    }
  }
  for (const [id, amountMinor] of withdrawn) {
    const its = sold.filter(({ of }) => of === id).map(({ order }) => order.id)
    const noted = asked.filter(({ orderId, reason }) => reason === 'withdrawal' && its.includes(orderId!))
    const notedMinor = total(noted)
    // It may be less only if the rest of its payments had been refunded by hand before.
    const byHandMinor = total(
      charges
        .filter(({ payment }) => payment.refundedMinor >= payment.amountMinor)
        .filter(({ invoice }) => noted.some(({ invoiceId }) => invoiceId === invoice.id))
        .flatMap(({ refunds: made }) => made)
        .filter((made) => made.state === 'done' && !noted.some(({ providerId }) => providerId === made.id)),
    )
    same(`withdrawn, ${notedMinor} of ${amountMinor}`, notedMinor + byHandMinor >= amountMinor, true)
  }
  const stuck = asked.filter(
    ({ state, orderId }) => orderId !== null && ['asked', 'refused', 'failed'].includes(state),
  )
  same('shown as owed', total(owed), total(stuck))
  for (const { invoice, refunds: tried } of charges) {
    const went = total(tried.filter(({ state }) => state === 'done'))
    // A refund that fails after its credit note was made keeps the note.
    const isNoted = invoice.creditedMinor >= went && invoice.creditedMinor <= invoice.paidMinor
    same(`credit notes of ${invoice.creditedMinor} for ${went}`, isNoted, true)
  }
}

/** A failed payment leaves the benefits for seven days (docs/product.md, Access). */
const GRACE_MS = 7 * 24 * 3_600_000
const NEARLY_MS = 2 * 3_600_000

async function compareAccess(
  same: Same,
  { shop: { db, clock } }: Pick<MembersShop, 'shop'>,
  userId: string,
  { granted }: Here,
  current: ProviderBooks | undefined,
): Promise<void> {
  const now = clock.now()
  const standing = await entitlementOf(db, userId, now)
  const state = current?.subscription.state
  const isSuspended = current?.charges.some(({ dispute }) => dispute === 'open') ?? false
  const unpaid = current?.invoices.find((invoice) => invoice.state === 'open')
  const graceMs = unpaid ? unpaid.createdAt.getTime() + GRACE_MS - now.getTime() : 0
  const isPaidFor = state === 'active' || state === 'trialing' || (state === 'past_due' && graceMs > 0)
  const holds = current && !isSuspended && isPaidFor
  // The charge is attempted a while after the invoice is created, so don't compare near the end of the grace period.
  if (state !== 'past_due' || Math.abs(graceMs) > NEARLY_MS)
    same('access', standing.tier, holds ? PLANS[planOfKey(current.subscription.price)!].tier : null)
  const usable = granted.filter(
    ({ spentAt, revokedAt, usableFrom, usableUntil, heldUntil }) =>
      spentAt === null &&
      revokedAt === null &&
      usableFrom <= now &&
      usableUntil > now &&
      (heldUntil ?? now) <= now,
  )
  same('something to choose', standing.hasCredit, usable.length > 0)
}
