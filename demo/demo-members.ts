import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { PLANS } from '#contract/plans.ts'
import type { Transaction } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { customers, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import { discountAtProvider } from '#server/features/membership/join.ts'
import { recordTrial } from '#server/features/membership/trials.ts'
import { sellInvoice } from '#server/features/membership/invoice-orders.ts'
import { daysAfter } from '#server/features/membership/months.ts'
import { priceKeyOf } from '#server/integrations/stripe/membership-prices.ts'
import type { LongMember, PastInvoice, SandboxControl } from '#server/integrations/stripe/sandbox-control.ts'
import type { Shop } from '#server/shop.ts'

const MONTH_DAYS = 30

/**
 * The demo's members become members at the provider's stand-in too, as if they had joined there long ago, so that whatever a
 * member may do works for them. Answers how many; nothing is done for those that are there, so it runs at every start.
 */
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
          // If nothing renews, the open sum is taken next.
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

/** Receipts of the time before, quietly: nobody is written to, and what was chosen with the credits of then stays as it is. */
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
  // `purchases.json` may have bought it too.
  const bought = await tx
    .selectDistinct({ orderId: orderLines.orderId })
    .from(orderLines)
    .leftJoin(subscriptionInvoices, eq(subscriptionInvoices.orderId, orderLines.orderId))
    .where(
      and(
        eq(orderLines.subscriptionId, row.id),
        eq(orderLines.kind, 'membership'),
        isNull(subscriptionInvoices.orderId),
      ),
    )
  const payment = { method: row.paymentType, cardLast4: row.cardLast4 }
  for (const invoice of untold) {
    const order = bought.shift()
    if (!order) await sellInvoice(tx, { config }, row, { invoice, payment }, 'GB')
    else
      await tx.insert(subscriptionInvoices).values({
        invoiceId: invoice.id,
        subscriptionId: row.id,
        orderId: order.orderId,
        periodStart: row.periodStart,
        periodEnd: row.periodEnd,
      })
  }
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
    // The renewal failed: the month before it was paid.
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
