import { and, eq, inArray, isNotNull, isNull, gt } from 'drizzle-orm'
import { PLANS } from '#contract/plans.ts'
import type { Transaction, Database } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { customers, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders, payments } from '#server/db/schema/orders.ts'
import { discountAtProvider } from '#server/features/membership/join.ts'
import { recordTrial } from '#server/features/membership/trials.ts'
import { sellInvoice } from '#server/features/membership/invoice-orders.ts'
import { daysAfter } from '#server/features/membership/months.ts'
import { priceKeyOf } from '#server/integrations/stripe/prices.ts'
import type { LongMember, PastInvoice, SandboxControl } from '#server/integrations/stripe/sandbox-control.ts'
import type { Shop } from '#server/shop.ts'

const MONTH_DAYS = 30

/** In the payment sandbox, with a past. Runs at every start: skips members that have a provider id. */
export async function enrolDemoMembers(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  provider: SandboxControl,
): Promise<number> {
  const { plans } = config.details
  const rows = await db
    .select({ row: subscriptions, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(
      and(
        isNull(subscriptions.providerId),
        isNotNull(subscriptions.paymentType),
        eq(subscriptions.gift, false),
        inArray(subscriptions.status, ['active', 'trialing', 'past_due']),
      ),
    )
  if (rows.length === 0) return 0
  const made = await provider.members(
    rows.map(({ row, email, firstName, lastName }) => ({
      email,
      name: `${firstName} ${lastName}`,
      ...pastOf(row),
    })),
  )
  const personOf = new Map(
    rows.map(({ row, email, firstName, lastName }) => [
      row.id,
      { userId: row.userId!, syncedEmail: email, syncedName: `${firstName} ${lastName}` },
    ]),
  )
  await db.transaction(async (tx) => {
    const priceOf = new Map(rows.map(({ row }) => [row.id, plans[row.plan].priceMinor]))
    const openOf = new Map(
      rows.map(({ row }) => [row.id, row.status === 'past_due' ? plans[row.plan].priceMinor : null]),
    )
    for (const {
      subscription: id,
      providerId,
      customer,
      anchor,
      periodStart,
      periodEnd,
      nextMinor,
      paid,
    } of made) {
      await tx
        .insert(customers)
        .values({ ...personOf.get(id)!, customerId: customer })
        .onConflictDoNothing()
      const [row] = await tx
        .update(subscriptions)
        .set({
          providerId,
          anchor,
          periodStart,
          periodEnd,
          validUntil: periodEnd,
          // If nothing renews, the next charge is the open amount.
          nextMinor: nextMinor ?? openOf.get(id) ?? null,
          priceMinor: priceOf.get(id) ?? null,
        })
        .where(eq(subscriptions.id, id))
        .returning()
      if (row!.status === 'trialing')
        await recordTrial(tx, config, { id, userId: personOf.get(id)!.userId, begunAt: row!.orderedAt })
      await sellPast(tx, config, { ...row!, userId: personOf.get(id)!.userId }, paid)
    }
  })
  return made.length
}

type Row = typeof subscriptions.$inferSelect & { readonly userId: string }

/** Sends no mail and does not change the demo's credits. */
async function sellPast(
  tx: Transaction,
  config: Shop['config'],
  row: Row,
  paid: readonly PastInvoice[],
): Promise<void> {
  const known = await tx
    .select({ invoiceId: subscriptionInvoices.invoiceId })
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.subscriptionId, row.id))
  const untold = paid.filter(({ id }) => known.every(({ invoiceId }) => invoiceId !== id))
  if (untold.length === 0) return
  const payment = { method: row.paymentType, cardLast4: row.cardLast4, card: null }
  for (const invoice of untold) await sellInvoice(tx, { config }, row, { invoice, payment }, 'GB')
}

function pastOf(row: typeof subscriptions.$inferSelect): Omit<LongMember, 'email' | 'name'> {
  const { percentDiscount: percent, discountDuration: duration, discountDurationMonths: durationMonths } = row
  const isRefused = row.status === 'past_due'
  const isYearly = PLANS[row.plan].yearly
  return {
    metadata: { subscription: row.id, user: row.userId! },
    price: priceKeyOf(row.plan),
    method: row.paymentType!,
    startedAt: row.orderedAt,
    // The renewal failed, so the paid period is the month before.
    periodStart: isRefused ? daysAfter(row.periodStart, -MONTH_DAYS) : row.periodStart,
    periodEnd: isRefused ? row.periodStart : isYearly ? null : row.periodEnd,
    isTrial: row.status === 'trialing',
    canceledAt: row.canceledAt,
    isRefused,
    discount:
      percent === null
        ? null
        : {
            percent,
            lasts: discountAtProvider({ percent, amountMinor: null, duration, durationMonths }, row.plan)
              .lasts,
          },
  }
}

/** So that they can be refunded. Runs at every start: skips payments that have an intent. */
export async function payDemoOrders(db: Database, provider: SandboxControl): Promise<number> {
  const rows = await db
    .select({
      order: orders.id,
      amountMinor: orders.totalMinor,
      email: orders.buyerEmail,
      paidAt: payments.createdAt,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(subscriptionInvoices, eq(subscriptionInvoices.orderId, orders.id))
    .where(
      and(
        isNull(payments.intentId),
        eq(orders.state, 'paid'),
        gt(orders.totalMinor, 0),
        isNull(orders.taken),
        isNull(subscriptionInvoices.orderId),
      ),
    )
  if (rows.length === 0) return 0
  const made = await provider.payments(rows)
  await db.transaction(async (tx) => {
    for (const { order, intentId } of made)
      await tx.update(payments).set({ intentId }).where(eq(payments.orderId, order))
  })
  return made.length
}
