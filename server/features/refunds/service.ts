import type { Db } from '../../db/open.ts'
import {
  insertRefund,
  type NewRefund,
  type RefundRow,
  selectOfPayment,
  selectPaymentOf,
  selectRefund,
  updateRefund,
} from './queries.ts'
import { DAY_MS } from '#contract/durations.ts'
import { backOffMs } from '../../due-work/for-each-due.ts'
import type { Payment, Refund } from '../../integrations/stripe/payments.ts'
import { NotAtProvider, PaymentConflict, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'

/** The caller sends a new refund at once; after this time the job sends it. */
const SENT_BY_CALLER_MS = 60_000

interface RefundRequest extends Pick<NewRefund, 'reason' | 'key' | 'amountMinor' | 'lineIds' | 'keepsLines'> {
  readonly orderId?: string
  /** For a charge of a membership: the provider knows the payment of an invoice. */
  readonly invoiceId?: string
}

/**
 * Call it in the transaction that takes away the purchase, under the same lock. After the commit call `sendRefund`,
 * update the order to the provider's state, and call `closeRefund`. A repeated `key` returns the existing refund.
 */
export const requestRefund = (tx: Db, request: RefundRequest, now: Date): Promise<RefundRow> =>
  insertRefund(tx, {
    ...request,
    state: 'asked',
    nextTryAt: new Date(now.getTime() + SENT_BY_CALLER_MS),
    createdAt: now,
    updatedAt: now,
  })

/** The refunds for chosen lines that were neither refused nor failed: the money was paid back or will be. */
export const namingLines = (rows: readonly RefundRow[]): { amountMinor: number; lineIds: string[] }[] =>
  rows.flatMap(({ state, amountMinor, lineIds, keepsLines }) =>
    lineIds !== null && !keepsLines && state !== 'refused' && state !== 'failed'
      ? [{ amountMinor, lineIds }]
      : [],
  )

/** The goodwill refunds that were paid back or will be: their lines stay with the buyer. */
export const keepingLines = (rows: readonly RefundRow[]): RefundRow[] =>
  rows.filter(({ keepsLines, state }) => keepsLines && state !== 'refused' && state !== 'failed')

type RefundShop = Pick<Shop, 'db' | 'clock' | 'log' | 'payments' | 'billing'>

/** The provider returns it with the refund. A server that crashed after the request finds its refund by this id. */
const metadataOf = ({ id }: RefundRow) => ({ refund: id })

/**
 * The provider keeps idempotency keys for a day only, so this always looks at the payment's refunds first. A refusal
 * changes the key, since the provider would repeat its response for the old one.
 * @throws {PaymentsUnavailable} the refund stays due for another attempt
 */
export async function sendRefund(shop: RefundShop, id: string): Promise<RefundRow> {
  const row = await selectRefund(shop.db, id)
  if (!row) throw new Error(`There is no refund ${id}`)
  if (row.state === 'done') return row
  try {
    return await send(shop, row)
  } catch (error) {
    if (error instanceof NotAtProvider) return refusedAs(shop, row, 'unknown_to_the_provider')
    throw error
  }
}

export async function postponeRefund(shop: RefundShop, id: string): Promise<void> {
  const row = await selectRefund(shop.db, id)
  if (row && row.nextTryAt !== null) await update(shop, row, { nextTryAt: after(shop, backOffMs(1)) })
}

/** Call it once the order reflects the refund. Ends it even without a credit note, which is only a document. */
export async function closeRefund(shop: RefundShop, row: RefundRow): Promise<void> {
  if (row.state !== 'done' || row.nextTryAt === null) return
  if (row.invoiceId !== null) await writeCreditNotes(shop, row.invoiceId)
  await update(shop, row, { nextTryAt: null })
}

export async function writeCreditNotes(
  { billing, log }: Pick<Shop, 'billing' | 'log'>,
  invoice: string,
): Promise<void> {
  await billing.invoices.creditNotes(invoice).catch((error: unknown) => {
    if (error instanceof PaymentsUnavailable) throw error
    log.warn({ err: error, invoice }, 'a refund has no credit note')
  })
}

async function send(shop: RefundShop, before: RefundRow): Promise<RefundRow> {
  const row = await withPayment(shop, before)
  const { paymentId } = row
  if (paymentId === null) return doneAs(shop, row, 'nothing_was_charged')
  const payment = await shop.payments.retrievePayment(paymentId)
  const found = findProviderRefund(row, await shop.payments.refundsOf(paymentId))
  if (found) return storeState(shop, row, found)
  const amountMinor = Math.min(row.amountMinor, payment.amountMinor - payment.refundedMinor)
  if (amountMinor < 1) return doneAs(shop, row, 'nothing_was_left')
  try {
    const asked = { amountMinor, metadata: metadataOf(row) }
    return await storeState(
      shop,
      row,
      await shop.payments.refundPayment(paymentId, asked, `refund:${row.id}:${row.attempts}`),
    )
  } catch (error) {
    if (!(error instanceof PaymentConflict)) throw error
    return resolveRefusal(shop, row, payment, error)
  }
}

/** After a refusal: a concurrent request may have made the refund, or it may not be needed any more. */
async function resolveRefusal(
  shop: RefundShop,
  row: RefundRow,
  { id, disputed }: Payment,
  refusal: PaymentConflict,
): Promise<RefundRow> {
  const found = findProviderRefund(row, await shop.payments.refundsOf(id))
  if (found) return storeState(shop, row, found)
  const { amountMinor, refundedMinor } = await shop.payments.retrievePayment(id)
  if (refundedMinor >= amountMinor) return doneAs(shop, row, 'nothing_was_left')
  if (disputed && (await shop.payments.disputeOf(id)) === 'lost')
    return doneAs(shop, row, 'the_bank_took_it_back')
  return refusedAs(shop, row, codeOf(refusal))
}

/** A refund that had succeeded may have failed since. @returns true if a state changed */
export async function syncRefunds(shop: RefundShop, paymentId: string): Promise<boolean> {
  const rows = await selectOfPayment(shop.db, paymentId)
  if (rows.length === 0) return false
  const listed = await shop.payments.refundsOf(paymentId)
  let isNew = false
  for (const row of rows) {
    const found = findProviderRefund(row, listed)
    if (found) isNew = (await storeState(shop, row, found)).state !== row.state || isNew
  }
  return isNew
}

/** The one with the row's id, or one that has not failed and that a server requested before it crashed. */
const findProviderRefund = (row: RefundRow, listed: readonly Refund[]): Refund | undefined =>
  listed.find(({ id }) => id === row.providerId) ??
  listed.find(({ metadata, state }) => metadata.refund === row.id && state !== 'failed')

const STATES = { pending: 'sent', done: 'done', failed: 'failed' } as const

async function storeState(
  shop: RefundShop,
  row: RefundRow,
  { id, state, problem, amountMinor }: Refund,
): Promise<RefundRow> {
  const now = STATES[state]
  if (now === row.state && row.providerId === id && now !== 'sent') return row
  if (now === 'failed') return refusedAs(shop, row, problem ?? 'failed', 'failed')
  // The webhook event with the final state may get lost, so check a pending refund again after a day.
  const nextTryAt = after(shop, now === 'sent' ? DAY_MS : 0)
  // Less than was asked for if part of the payment had been refunded elsewhere.
  return update(shop, row, { state: now, providerId: id, amountMinor, problem: null, nextTryAt })
}

const doneAs = (shop: RefundShop, row: RefundRow, problem: string): Promise<RefundRow> =>
  update(shop, row, { state: 'done', problem, nextTryAt: after(shop, 0) })

function refusedAs(
  shop: RefundShop,
  row: RefundRow,
  problem: string,
  state: 'refused' | 'failed' = 'refused',
): Promise<RefundRow> {
  const attempts = row.attempts + 1
  shop.log.warn({ refund: row.id, reason: row.reason, problem }, 'money that is owed could not be paid back')
  return update(shop, row, {
    state,
    providerId: null,
    problem,
    attempts,
    nextTryAt: after(shop, backOffMs(attempts)),
  })
}

async function withPayment(shop: RefundShop, row: RefundRow): Promise<RefundRow> {
  const { invoiceId, orderId } = row
  if (row.paymentId !== null) return row
  if (invoiceId !== null)
    return update(shop, row, { paymentId: (await shop.billing.invoices.retrieve(invoiceId)).payment })
  return orderId === null ? row : update(shop, row, { paymentId: await selectPaymentOf(shop.db, orderId) })
}

const after = ({ clock }: RefundShop, ms: number): Date => new Date(clock.now().getTime() + ms)

/** A concurrent change wins: this then returns the stored row. */
async function update(shop: RefundShop, row: RefundRow, change: Partial<NewRefund>): Promise<RefundRow> {
  const updated = await updateRefund(shop.db, row, { ...change, updatedAt: shop.clock.now() })
  return updated ?? (await selectRefund(shop.db, row.id)) ?? row
}

/** The provider's error code. Its message may contain personal data. */
function codeOf({ cause }: PaymentConflict): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error may be asked for a field that it lacks
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : 'refused'
}
