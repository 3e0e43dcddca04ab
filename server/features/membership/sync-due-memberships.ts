import { DAY_MS } from '#contract/durations.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue, untilNoneIsDue } from '../../due-work/for-each-due.ts'
import { ifKnown } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { syncRefunds, writeCreditNotes } from '../refunds/service.ts'
import { deleteAtProvider } from './account-closing.ts'
import { LONGEST_DISPUTE_MS } from '../orders/refunds-and-disputes.ts'
import { syncPaidInvoice } from './membership-refunds.ts'
import {
  selectContradicted,
  selectInvoices,
  selectNow,
  selectSuspended,
  selectUnchecked,
} from './billing-queries.ts'
import { syncSubscription } from './sync-subscription.ts'
import { updateCheckedAt } from './queries.ts'

const MEMBERSHIPS_PER_QUERY = 100

export async function reconcileMemberships(shop: Shop, signal?: AbortSignal): Promise<void> {
  await sweepMemberships(shop, await selectNow(shop.db), signal)
  await reconcileMoneyBack(shop, signal)
}

/** Those that waited longest come first, so that the next run continues an interrupted one. */
export async function sweepMemberships(shop: Shop, since: string, signal?: AbortSignal): Promise<void> {
  const { db, log } = shop
  const memberships = { log, signal, about: ({ id }: { id: string }) => ({ subscription: id }) }
  const unchecked = untilNoneIsDue((limit) => selectUnchecked(db, since, limit), MEMBERSHIPS_PER_QUERY)
  await forEachDue(unchecked, ({ providerId }) => syncOrForget(shop, providerId!), {
    ...memberships,
    problem: 'a membership could not be reconciled',
    onSuccess: ({ id }) => updateCheckedAt(db, id),
    onFailure: ({ id }) => updateCheckedAt(db, id),
  })
  // Memberships that are over here but not at the provider, until the owner has resolved that with the provider.
  const contradicted = eachRow(
    (page) => selectContradicted(db, page),
    ({ id }) => id,
  )
  await forEachDue(contradicted, ({ providerId }) => syncSubscription(shop, providerId!), {
    ...memberships,
    problem: 'a membership could not be reconciled',
  })
}

async function syncOrForget(shop: Shop, providerId: string): Promise<void> {
  const row = await ifKnown(syncSubscription(shop, providerId))
  if (row?.userId === null) await ifKnown(deleteAtProvider(shop, providerId))
}

/** Long enough to find an event that was lost while the shop was offline for weeks. */
const LOOKED_BACK_MS = 30 * DAY_MS

export async function reconcileMoneyBack(shop: Shop, signal?: AbortSignal): Promise<void> {
  const now = shop.clock.now()
  const since = new Date(now.getTime() - LOOKED_BACK_MS)
  const options = { log: shop.log, signal, problem: 'money that went back could not be compared' }
  const settleEach = (payments: Iterable<string> | AsyncIterable<string>) =>
    forEachDue(payments, (payment) => ifKnown(settleReturned(shop, payment)), {
      ...options,
      about: (payment) => ({ payment }),
    })
  await settleEach(shop.payments.listReturned({ since }))
  const suspended = await selectSuspended(shop.db, new Date(now.getTime() - LONGEST_DISPUTE_MS))
  const payments: string[] = []
  await forEachDue(suspended, async ({ id }) => payments.push(...(await paymentsOf(shop, id))), {
    ...options,
    about: ({ id }) => ({ subscription: id }),
  })
  await settleEach(payments)
}

/** A refund made in the provider's dashboard gets its credit note here. */
async function settleReturned(shop: Shop, payment: string): Promise<void> {
  // A refund that succeeded at first may have failed at the bank since.
  await syncRefunds(shop, payment)
  const paid = await syncPaidInvoice(shop, payment)
  if (paid && paid.payment.refundedMinor > paid.creditedMinor) await writeCreditNotes(shop, paid.invoice)
}

async function paymentsOf(shop: Shop, subscriptionId: string): Promise<string[]> {
  const payments: string[] = []
  for (const { invoiceId } of await selectInvoices(shop.db, subscriptionId)) {
    const { payment } = await shop.billing.invoices.retrieve(invoiceId)
    if (payment !== null) payments.push(payment)
  }
  return payments
}
