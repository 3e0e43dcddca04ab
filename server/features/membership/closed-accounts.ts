import { forEachDue, postponing } from '../../due-work/for-each-due.ts'
import { NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { changeSubscription } from './subscription-state.ts'
import { type RefundRow, selectOpenRefunds } from '../refunds/queries.ts'
import { askForRefund } from '../refunds/service.ts'
import { sendMembershipRefund } from './membership-refunds.ts'
import { selectByProvider, selectClosedAccounts, selectInvoiceOrders } from './billing-queries.ts'
import { type SubscriptionRow, lockSubscription } from './queries.ts'
import { settleSubscription } from './sync-subscription.ts'

const ACCOUNTS_PER_RUN = 200

export async function endClosedAccountsAtProvider(shop: Shop, signal?: AbortSignal): Promise<void> {
  const closed = await selectClosedAccounts(shop.db, shop.clock.now(), ACCOUNTS_PER_RUN)
  await forEachDue(closed, ({ providerId }) => forgetAtProvider(shop, providerId!), {
    log: shop.log,
    signal,
    problem: 'a closed account could not leave the provider',
    about: ({ id }) => ({ subscription: id }),
    ...postponing<SubscriptionRow>(shop, 'closed-account', ({ id }) => id),
    toleratesOutage: true,
  })
}

/**
 * Stops the charges of a deleted account, refunds what the withdrawal owes and what was charged after the deletion,
 * then deletes the payment methods at the provider. The job repeats it until everything succeeded.
 */
export async function forgetAtProvider(shop: Shop, providerId: string): Promise<void> {
  const { subscriptions, customers } = shop.billing
  const row = await selectByProvider(shop.db, providerId)
  if (!row) return
  await ifKnown(shop, () => voidOpenInvoices(shop, providerId))
  // Undefined if the customer was deleted already, with another membership of the account.
  const ended = await ifKnown(shop, () => subscriptions.end(providerId))
  if (ended) {
    for (const refund of await refundUnsold(shop, row.id, providerId))
      await ifKnown(shop, () => sendMembershipRefund(shop, refund))
    await ifKnown(shop, () => settleSubscription(shop, providerId))
    // Deleting the account counts as withdrawing from the charges of the last 14 days.
    const orderIds = [...(await selectInvoiceOrders(shop.db, row.id)).values()]
    for (const refund of await selectOpenRefunds(shop.db, orderIds))
      await ifKnown(shop, () => sendMembershipRefund(shop, refund))
    await customers.erase(ended.customer)
  }
  await changeSubscription(shop.db, row.id, { forgottenAt: shop.clock.now() })
}

/** What the provider does not know can't be repeated, and must not keep the customer from being erased. */
async function ifKnown<T>({ log }: Shop, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotAtProvider)) throw error
    log.warn({ err: error }, 'the provider does not know a part of a closed account')
    return undefined
  }
}

/** Creates refunds for paid invoices that are not orders here: they were charged after the account was deleted. */
async function refundUnsold(shop: Shop, id: string, providerId: string): Promise<RefundRow[]> {
  const sold = await selectInvoiceOrders(shop.db, id)
  const created: RefundRow[] = []
  for await (const invoice of shop.billing.invoices.list({ subscription: providerId })) {
    const { id: invoiceId, state, paidMinor: amountMinor } = invoice
    if (state !== 'paid' || amountMinor === 0 || sold.has(invoiceId)) continue
    const owed = {
      reason: 'closed-account',
      key: `closed-account:${invoiceId}`,
      invoiceId,
      amountMinor,
    } as const
    created.push(
      await shop.db.transaction(async (tx) => {
        await lockSubscription(tx, id)
        return askForRefund(tx, owed, shop.clock.now())
      }),
    )
  }
  return created
}

/** Otherwise the client secret of an open payment could still be used after the account is deleted. */
async function voidOpenInvoices({ billing: { invoices } }: Shop, providerId: string): Promise<void> {
  for await (const { id, state } of invoices.list({ subscription: providerId })) {
    if (state !== 'open') continue
    await invoices.makeVoid(id).catch((error: unknown) => {
      // The payment is processing or paid: refund it if it succeeds.
      if (!(error instanceof PaymentConflict)) throw error
    })
  }
}
