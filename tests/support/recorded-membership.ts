import { asc, eq } from 'drizzle-orm'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { join } from '#server/features/membership/join.ts'
import { reconcileMemberships } from '#server/features/membership/sync-due-memberships.ts'
import type { Shop } from '#server/shop.ts'
import { aBuyer } from './purchases.ts'
import { type Member, memberOf, type MembersShop } from './members.ts'
import { type Moment, momentOf, recordedProvider } from './recorded-provider.ts'
import type { TestShop } from './shop.ts'

/** Handles a webhook event as the shop does, which then queries the provider itself. */
export type Notice = (shop: Shop) => Promise<unknown>
/** A change at the provider; returns the webhook event that the provider sends for it. */
export type Step = (life: Begun) => Promise<Notice>

export interface Begun {
  readonly all: MembersShop
  readonly member: Member
  /** `sub_…` */
  readonly subscription: string
  /** The provider's state after each step so far. */
  readonly moments: readonly Moment[]
  /** `du_…`, by payment. */
  readonly disputes: Map<string, string>
}

/** A membership that changed only at the provider: the shop knows how it began and got no events. */
export interface Life {
  readonly member: Member
  /** One per event: the provider's state from that event until the next. */
  readonly moments: readonly Moment[]
  readonly notices: readonly Notice[]
}

/** Joins, and takes step after step; the steps may be generated on the way. */
export async function liveThrough(
  all: MembersShop,
  plan: PlanId,
  steps: Iterable<Step> | ((begun: Begun) => Iterable<Step>),
): Promise<Life> {
  await all.pass('PT0S')
  const buyer = await aBuyer(all.shop)
  const wish = { plan, code: null, trial: false, shownMinor: PLANS[plan].priceMinor, startNow: true }
  const { row, clientSecret } = await join(all.shop, { userId: buyer.user.id, ...wish })
  await all.sandbox.confirm({ id: clientSecret!.split('_secret_')[0]!, clientSecret: clientSecret! })
  const member = memberOf(all.shop, buyer, row.id)
  const moments: Moment[] = []
  const begun: Begun = { all, member, subscription: row.providerId!, moments, disputes: new Map() }
  const notices: Notice[] = []
  for (const step of typeof steps === 'function' ? steps(begun) : steps) {
    notices.push(await step(begun))
    moments.push(await momentOf(all, begun.subscription))
  }
  return { member, moments, notices }
}

/** Delivers the events in this order, in a transaction that is rolled back so that another order can follow. */
export async function toldInOrder(
  { shop }: MembersShop,
  { member, moments, notices }: Life,
  order: readonly number[],
): Promise<unknown> {
  const provider = recordedProvider(moments)
  let end: unknown
  class Again extends Error {}
  const telling = shop.db.transaction(async (tx) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a transaction has the same query methods as the database
    const db = tx as unknown as TestShop['db']
    const desk = { ...shop, db, billing: provider.billing, payments: provider.payments }
    const reach = (moment: number) => {
      provider.reach(moment)
      shop.clock.set(new Date(provider.now().getTime() - shop.clock.aheadMs))
    }
    for (const notice of order) {
      // Deliver each event at the earliest possible moment: the provider knows everything up to it and nothing later.
      reach(notice)
      await notices[notice]!(desk)
    }
    reach(moments.length - 1)
    await reconcileMemberships(desk)
    end = await endOf(db, member)
    throw new Again()
  })
  await telling.catch((error: unknown) => {
    if (!(error instanceof Again)) throw error
  })
  return end
}

/** The resulting records, without generated ids and processing times. */
async function endOf(db: TestShop['db'], { id, user }: Member) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  // How often and when the provider was queried differs between the orders.
  const { suspendedAt, checkedAt: _, settlement: __, ...standing } = row!
  const sold = await db
    .select({ invoice: subscriptionInvoices, order: orders })
    .from(subscriptionInvoices)
    .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
    .where(eq(subscriptionInvoices.subscriptionId, id))
    .orderBy(asc(subscriptionInvoices.invoiceId))
  const granted = await db
    .select()
    .from(credits)
    .where(eq(credits.userId, user.id))
    .orderBy(asc(credits.usableFrom), asc(credits.ordinal))
  const posted = await db.select().from(mails).where(eq(mails.recipient, user.email))
  return {
    standing,
    isSuspended: suspendedAt !== null,
    sold: sold.map(({ invoice, order }) => ({
      ...invoice,
      orderId: null,
      state: order.state,
      paidAt: order.paidAt,
      total: order.totalMinor,
      vat: order.vatMinor,
      back: order.refundedMinor,
    })),
    granted: granted.map(({ usableFrom, usableUntil, ordinal, revokedAt }) => ({
      usableFrom,
      usableUntil,
      ordinal,
      isRevoked: revokedAt !== null,
    })),
    mailed: posted
      .map(({ kind }) => kind)
      .filter((kind) => OF_MONEY.has(kind))
      .toSorted(),
    // Two partial refunds that arrive together share one mail.
    mailedBack: posted
      .filter(({ kind }) => kind === 'membership_refunded')
      .reduce((sum, { data }) => sum + (data as { amountMinor: number }).amountMinor, 0),
  }
}
/** Mails about money must not depend on the order; a failure or an end may be reported in fewer mails. */
const OF_MONEY = new Set(['membership_started', 'membership_renewed', 'plan_changed'])
