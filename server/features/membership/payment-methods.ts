import { randomUUID, createHash, timingSafeEqual } from 'node:crypto'
import { ifKnown, NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { SetUp } from '../../integrations/stripe/customers.ts'
import type { Shop } from '../../shop.ts'
import { refused, notFound } from '../../http/http-errors.ts'
import { changeSubscription } from './subscription-state.ts'
import { type SubscriptionRow, selectUnended, selectMember } from './queries.ts'
import { billedSubscription } from './change-plan.ts'
import { needsBuyer } from './provider-state.ts'
import {
  selectCustomer,
  selectReservation,
  selectSecret,
  selectUserOfCustomer,
  insertSecret,
  type StoredSecret,
  insertCustomer,
  updateSynced,
  selectUnsynced,
} from './billing-queries.ts'
import { syncSubscription } from './sync-subscription.ts'
import { METHOD_HAD_TRIAL, wasRefusedTrial } from './trials.ts'
import type { Db } from '../../db/open.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import { syncInvoicePayment } from './membership-refunds.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'

type SetUpOutcome = 'done' | 'checking' | 'refused' | 'open' | 'cancelled' | 'trial_used'

interface SyncedSetUp {
  readonly outcome: SetUpOutcome
  readonly userId: string | null
  readonly subscriptionId: string | null
}

const UNKNOWN_SET_UP: SyncedSetUp = { outcome: 'open', userId: null, subscriptionId: null }

/**
 * Starts a trial that waited for it, and pays open invoices. Idempotent: page, webhook and job call it.
 * @throws {NotAtProvider}
 */
export async function syncSetUp(shop: Shop, setUpId: string): Promise<SyncedSetUp> {
  const setUp = await shop.billing.setUps.retrieve(setUpId)
  const userId = setUp.customer === null ? null : await selectUserOfCustomer(shop.db, setUp.customer)
  if (userId === null) return UNKNOWN_SET_UP
  const askedFor = (await selectSecret(shop.db, setUpId))?.subscriptionId ?? null
  const row = (await selectUnended(shop.db, userId)).find(({ id }) => id === askedFor)
  const at = { userId, subscriptionId: row?.id ?? null }
  if (setUp.state !== 'done' || setUp.method === null) return { outcome: outcomeOf(setUp), ...at }
  if (!row?.providerId)
    return { outcome: (await wasRefusedTrial(shop, askedFor)) ? 'trial_used' : 'cancelled', ...at }
  if (await isReplaced(shop, row, setUp)) return { outcome: 'done', ...at }
  try {
    await payWith(shop, { ...row, providerId: row.providerId }, setUp.method.id, setUp.id)
  } catch (error) {
    if (await wasRefusedTrial(shop, row.id)) return { outcome: 'trial_used', ...at }
    if ((await selectReservation(shop.db, row.id))?.supersededAt) return { outcome: 'cancelled', ...at }
    throw error
  }
  return { outcome: 'done', ...at }
}

/** A newer payment method has been stored: this set-up's webhook event is late. */
const isReplaced = async ({ billing }: Shop, { setUpId }: SubscriptionRow, { id }: SetUp): Promise<boolean> =>
  setUpId !== null && setUpId !== id && (await billing.setUps.retrieve(setUpId)).state === 'done'

const outcomeOf = ({ state, refusal }: SetUp): SetUpOutcome => {
  if (state === 'pending') return 'checking'
  if (state === 'cancelled') return 'cancelled'
  return refusal ? 'refused' : 'open'
}

/**
 * Each call is a new attempt, because a refused card may have money by now.
 * @throws 422 if the payment method is not valid, or would start a second trial
 */
export async function payWith(
  shop: Shop,
  row: SubscriptionRow & { readonly providerId: string },
  method: string,
  attempt: string = randomUUID(),
): Promise<SubscriptionRow> {
  const { billing } = shop
  await billing.subscriptions.payWith(row.providerId, method).catch((error: unknown) => {
    if (error instanceof NotAtProvider || error instanceof PaymentConflict) throw invalidMethod()
    throw error
  })
  for await (const invoice of billing.invoices.list({ subscription: row.providerId }))
    if (invoice.state === 'open')
      await billing.invoices.pay(invoice.id, `pay:${invoice.id}:${attempt}`).catch((error: unknown) => {
        if (!(error instanceof PaymentConflict)) throw error
      })
  const after = (await syncSubscription(shop, row.providerId)) ?? row
  if (row.status === 'incomplete' && (await wasRefusedTrial(shop, row.id))) throw refused(METHOD_HAD_TRIAL)
  return after
}

export async function openSetUp(shop: Shop, userId: string): Promise<{ setUp: SetUp; row: SubscriptionRow }> {
  const row = (await selectUnended(shop.db, userId)).find(
    ({ providerId, status }) => providerId !== null && status !== 'incomplete',
  )
  if (!row) throw refused('There’s no membership to pay for.')
  const known = row.setUpId
  if (known !== null) {
    const setUp = await ifKnown(shop.billing.setUps.retrieve(known))
    if (setUp && (setUp.state === 'open' || setUp.state === 'pending')) return { setUp, row }
  }
  const customer = await ensureCustomer(shop, userId)
  const setUp = await shop.billing.setUps.create(
    { customer, metadata: { subscription: row.id } },
    `set-up:${row.id}:${known ?? 'first'}`,
  )
  await storeSecret(shop.db, row.id, setUp.clientSecret)
  return { setUp, row: await changeSubscription(shop.db, row.id, { setUpId: setUp.id }) }
}

/** `given` is a `pm_…`, or the `seti_…` of its set-up. It must belong to the account's own customer. */
export async function methodOf(shop: Shop, userId: string, given: string): Promise<string> {
  if (given.startsWith('pm_')) return attachMethod(shop, userId, given)
  const [setUp, customer] = await Promise.all([
    ifKnown(shop.billing.setUps.retrieve(given)),
    selectCustomer(shop.db, userId),
  ])
  if (!setUp?.method || setUp.state !== 'done' || customer === null || setUp.customer !== customer)
    throw invalidMethod()
  return setUp.method.id
}

/** @throws 422 'Payment method not valid' (ERR-03) if it is unknown, or attached to another customer */
export async function attachMethod(shop: Shop, userId: string, method: string): Promise<string> {
  try {
    return await shop.billing.customers.keep(await ensureCustomer(shop, userId), method)
  } catch (error) {
    if (error instanceof NotAtProvider || error instanceof PaymentConflict) throw invalidMethod()
    throw error
  }
}

export const invalidMethod = () => refused('Payment method not valid', 'payment_method_invalid')

interface PaidAgain {
  readonly outcome: 'paid' | 'checking' | 'refused' | 'authenticate'
  readonly clientSecret: string | null
}

export async function payAgain(shop: Shop, userId: string, id: string): Promise<PaidAgain> {
  const { billing, payments } = shop
  const row = await billedSubscription(shop, userId, id)
  for await (const invoice of billing.invoices.list({ subscription: row.providerId })) {
    if (invoice.state !== 'open') continue
    const idempotencyKey = `again:${invoice.id}:${randomUUID()}`
    const after = await billing.invoices.pay(invoice.id, idempotencyKey).catch((error: unknown) => {
      if (error instanceof PaymentConflict) return billing.invoices.retrieve(invoice.id)
      throw error
    })
    await syncSubscription(shop, row.providerId)
    if (after.state === 'paid') return { outcome: 'paid', clientSecret: null }
    const payment = after.payment === null ? null : await payments.retrievePayment(after.payment)
    if (payment?.state === 'pending') return { outcome: 'checking', clientSecret: null }
    if (!payment || !needsBuyer(payment)) return { outcome: 'refused', clientSecret: null }
    await storeSecret(shop.db, id, after.clientSecret)
    return { outcome: 'authenticate', clientSecret: after.clientSecret }
  }
  throw refused('There’s nothing to pay.')
}

export const hashOfSecret = (clientSecret: string): string =>
  createHash('sha256').update(clientSecret).digest('base64url')

/** Stores only the hash. The part before `_secret_` is the id of the payment or set-up. */
export async function storeSecret(
  db: Db,
  subscriptionId: string,
  clientSecret: string | null,
): Promise<void> {
  if (clientSecret === null) return
  const id = clientSecret.split('_secret_')[0]!
  await insertSecret(db, { id, secretHash: hashOfSecret(clientSecret), subscriptionId })
}

/** Checks the secret here, so that a guess never reaches the provider. */
export async function findBySecret(
  db: Db,
  id: string,
  clientSecret: string,
): Promise<StoredSecret | undefined> {
  const stored = await selectSecret(db, id)
  // The previous release, which may still be running during an update, stores the secret itself.
  const known = Buffer.from(stored?.secretHash ?? hashOfSecret(stored?.clientSecret ?? ''))
  const given = Buffer.from(hashOfSecret(clientSecret))
  return stored && timingSafeEqual(known, given) ? stored : undefined
}

export async function returnFromMembershipPayment(
  shop: Shop,
  { intentId, clientSecret }: { readonly intentId: string; readonly clientSecret: string },
): Promise<{ payment: Payment; subscriptionId: string; userId: string | null } | undefined> {
  const known = await findBySecret(shop.db, intentId, clientSecret)
  if (!known) return undefined
  const paid = await syncInvoicePayment(shop, intentId)
  const { subscriptionId, userId } = known
  return { payment: paid ?? (await shop.payments.retrievePayment(intentId)), subscriptionId, userId }
}

/** Created without a name: a name may change, but the same idempotency key must always send the same data. */
export async function ensureCustomer({ db, billing, log }: Shop, userId: string): Promise<string> {
  const known = await selectCustomer(db, userId)
  if (known) return known
  const member = await selectMember(db, userId)
  if (!member) throw notFound()
  const made = await billing.customers.create({ metadata: { user: userId } }, `customer-of:${userId}`)
  await insertCustomer(db, { userId, customerId: made })
  const customer = (await selectCustomer(db, userId)) ?? made
  const { email } = member
  const name = `${member.firstName} ${member.lastName}`.trim()
  try {
    await billing.customers.update(customer, { email, name })
    await updateSynced(db, userId, { syncedEmail: email, syncedName: name })
  } catch (error) {
    log.warn({ err: error, customer }, 'a new customer’s name could not be said to the provider')
  }
  return customer
}

/** Job. The last values sent are stored, so that the next run repeats a failed call. */
export async function syncCustomers(shop: Shop, signal?: AbortSignal): Promise<void> {
  const unsynced = eachRow(
    (page) => selectUnsynced(shop.db, page),
    ({ userId }) => userId,
  )
  await forEachDue(unsynced, (customer) => syncCustomer(shop, customer), {
    log: shop.log,
    signal,
    problem: 'a customer could not be told to the provider',
    about: ({ customerId }) => ({ customer: customerId }),
  })
}

async function syncCustomer(
  { db, billing }: Shop,
  { userId, customerId, email, name }: Awaited<ReturnType<typeof selectUnsynced>>[number],
): Promise<void> {
  await ifKnown(billing.customers.update(customerId, { email, name }))
  await updateSynced(db, userId, { syncedEmail: email, syncedName: name })
}
