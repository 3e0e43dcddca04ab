import type { BusinessTime } from '../../clock.ts'
import type { ClosingOutcome } from '#contract/account-deletion.ts'
import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { countUsableCredits } from './credit-queries.ts'
import { selectSubscriptions, type SubscriptionRow, lockSubscription } from './queries.ts'
import { changeSubscription } from './subscription-state.ts'
import { hasEnded } from './entitlement.ts'
import { requestWithdrawalRefunds, type Withdrawal, withdrawalAt } from './withdrawal-amounts.ts'
import { forEachDue, postponing } from '../../due-work/for-each-due.ts'
import { NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import { type RefundRow, selectOpenRefunds } from '../refunds/queries.ts'
import { requestRefund } from '../refunds/service.ts'
import { sendMembershipRefund } from './membership-refunds.ts'
import { selectByProvider, selectClosedAccounts, selectInvoiceOrders } from './billing-queries.ts'
import { syncSubscription } from './sync-subscription.ts'

interface EndingMembership {
  readonly row: SubscriptionRow
  readonly outcome: ClosingOutcome
  /** In pence; 0 unless the outcome is `back` or `to_giver`. */
  readonly amountMinor: number
  readonly withdrawal: Withdrawal | null
}

export interface Closing {
  readonly memberships: readonly EndingMembership[]
  /** Refunded to the account holder's own cards or PayPal accounts, in pence. Excludes refunds to givers. */
  readonly amountMinor: number
  readonly freeAudiobooks: number
}

/** Read-only. Deleting withdraws from the charges of the last 14 days. To act on it, hold the account’s lock. */
export async function closingOf(
  db: Db,
  userId: string,
  now: Date,
  options: { readonly lock?: boolean } = {},
): Promise<Closing> {
  const rows = (await selectSubscriptions(db, userId)).filter(
    ({ status, withdrawnAt }) => !hasEnded(status) && status !== 'incomplete' && withdrawnAt === null,
  )
  const memberships: EndingMembership[] = []
  for (const row of rows) {
    const found = await withdrawalAt(db, row, now, options)
    const outcome = outcomeOf(row, found)
    const isPaid = outcome === 'back' || outcome === 'to_giver'
    memberships.push({
      row,
      outcome,
      amountMinor: isPaid ? found!.amountMinor : 0,
      withdrawal: isPaid ? found : null,
    })
  }
  const amountMinor = memberships
    .filter(({ outcome }) => outcome === 'back')
    .reduce((sum, each) => sum + each.amountMinor, 0)
  return { memberships, amountMinor, freeAudiobooks: await countUsableCredits(db, userId, now) }
}

function outcomeOf(row: SubscriptionRow, found: Withdrawal | null): ClosingOutcome {
  // Paid by a code or in a trial: no charge.
  if (row.status === 'trialing' || (!row.gift && row.providerId === null)) return 'no_charge'
  if (!found) return 'too_late'
  if (row.suspendedAt !== null) return 'disputed'
  if (found.amountMinor === 0) return 'nothing_left'
  return row.gift ? 'to_giver' : 'back'
}

export async function recordClosing(tx: Db, { memberships }: Closing, now: BusinessTime): Promise<void> {
  for (const { row, withdrawal } of memberships) {
    if (!withdrawal) continue
    await requestWithdrawalRefunds(tx, row, withdrawal, now)
    const ended = { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now } as const
    await changeSubscription(tx, row.id, { withdrawnAt: now, ...(row.gift ? ended : {}) })
  }
}

export const endingsInWords = (
  { config }: Pick<Shop, 'config'>,
  { memberships }: Closing,
): { plan: string; gift: boolean; outcome: ClosingOutcome }[] =>
  memberships.map(({ row, outcome }) => ({
    plan: planInWords(config.details.plans[row.plan]),
    gift: row.gift,
    outcome,
  }))

const ACCOUNTS_PER_RUN = 200

export async function endClosedAccountsAtProvider(shop: Shop, signal?: AbortSignal): Promise<void> {
  const closed = await selectClosedAccounts(shop.db, shop.clock.now(), ACCOUNTS_PER_RUN)
  await forEachDue(closed, ({ providerId }) => deleteAtProvider(shop, providerId!), {
    log: shop.log,
    signal,
    problem: 'a closed account could not leave the provider',
    about: ({ id }) => ({ subscription: id }),
    ...postponing<SubscriptionRow>(shop, 'closed-account', ({ id }) => id),
    toleratesOutage: true,
  })
}

/** Ends the charges, refunds, then deletes the payment methods. The job repeats it until everything succeeded. */
export async function deleteAtProvider(shop: Shop, providerId: string): Promise<void> {
  const { subscriptions, customers } = shop.billing
  const row = await selectByProvider(shop.db, providerId)
  if (!row) return
  await logIfUnknown(shop, () => voidOpenInvoices(shop, providerId))
  // Undefined if the customer was deleted already, with another membership of the account.
  const ended = await logIfUnknown(shop, () => subscriptions.end(providerId))
  if (ended) {
    for (const refund of await refundUnsold(shop, row.id, providerId))
      await logIfUnknown(shop, () => sendMembershipRefund(shop, refund))
    await logIfUnknown(shop, () => syncSubscription(shop, providerId))
    const orderIds = [...(await selectInvoiceOrders(shop.db, row.id)).values()]
    for (const refund of await selectOpenRefunds(shop.db, orderIds))
      await logIfUnknown(shop, () => sendMembershipRefund(shop, refund))
    await customers.erase(ended.customer)
  }
  await changeSubscription(shop.db, row.id, { forgottenAt: shop.clock.now() })
}

/** What the provider does not know can't be repeated, and must not keep the customer from being erased. */
async function logIfUnknown<T>({ log }: Shop, work: () => Promise<T>): Promise<T | undefined> {
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
        return requestRefund(tx, owed, shop.clock.now())
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
