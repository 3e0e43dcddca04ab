import { randomUUID } from 'node:crypto'
import { NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { SetUp } from '../../integrations/stripe/set-ups.ts'
import type { Shop } from '../../shop.ts'
import { refused } from '../../http/http-errors.ts'
import { changeSubscription, isOver, runningOf } from './subscription-state.ts'
import { type SubscriptionRow } from './queries.ts'
import { billedOf } from './change-plan.ts'
import { rememberSecret } from './payment-return.ts'
import { customerOf } from './provider-customers.ts'
import { needsBuyer } from './provider-state.ts'
import { selectCustomer, selectReservation, selectSecret, selectUserOfCustomer } from './billing-queries.ts'
import { settleSubscription } from './sync-subscription.ts'
import { METHOD_HAD_TRIAL, wasRefusedTrial } from './trials.ts'

export type SetUpOutcome = 'done' | 'checking' | 'refused' | 'open' | 'cancelled' | 'trial_used'

export interface SetUpSettled {
  readonly outcome: SetUpOutcome
  readonly userId: string | null
  readonly subscriptionId: string | null
}

const NOBODYS: SetUpSettled = { outcome: 'open', userId: null, subscriptionId: null }

/**
 * A card or PayPal account that was stored is what the membership that asked for it is paid with from now on: it begins the
 * trial that waited for it, and pays what is open. One that was given up meanwhile begins nothing, and pays for no other.
 * Safe to repeat, by the return page, the notice and the job.
 *
 * @throws {NotAtProvider}
 */
export async function settleSetUp(shop: Shop, setUpId: string): Promise<SetUpSettled> {
  const setUp = await shop.billing.setUps.retrieve(setUpId)
  const userId = setUp.customer === null ? null : await selectUserOfCustomer(shop.db, setUp.customer)
  if (userId === null) return NOBODYS
  const askedFor = (await selectSecret(shop.db, setUpId))?.subscriptionId ?? null
  const row = (await runningOf(shop.db, userId)).find(({ id }) => id === askedFor)
  const at = { userId, subscriptionId: row?.id ?? null }
  if (setUp.state !== 'done' || setUp.method === null) return { outcome: outcomeOf(setUp), ...at }
  if (!row?.providerId)
    return { outcome: (await wasRefusedTrial(shop, askedFor)) ? 'trial_used' : 'cancelled', ...at }
  if (await isReplaced(shop, row, setUp)) return { outcome: 'done', ...at }
  try {
    await payWith(shop, { ...row, providerId: row.providerId }, setUp.method.id, setUp.id)
  } catch (error) {
    if (await wasRefusedTrial(shop, row.id)) return { outcome: 'trial_used', ...at }
    // Another join took its place in this moment, and it is over at the provider.
    if ((await selectReservation(shop.db, row.id))?.supersededAt) return { outcome: 'cancelled', ...at }
    throw error
  }
  return { outcome: 'done', ...at }
}

/** A newer one was stored since: the notice of this one is late. */
const isReplaced = async ({ billing }: Shop, { setUpId }: SubscriptionRow, { id }: SetUp): Promise<boolean> =>
  setUpId !== null && setUpId !== id && (await billing.setUps.retrieve(setUpId)).state === 'done'

const outcomeOf = ({ state, refusal }: SetUp): SetUpOutcome => {
  if (state === 'pending') return 'checking'
  if (state === 'cancelled') return 'cancelled'
  return refusal ? 'refused' : 'open'
}

/**
 * From now on with this method; what is open is tried with it at once. Each press is an attempt of its own, since a card that was
 * refused may have money by now; an invoice is paid once all the same.
 *
 * @throws 422 if the payment method would start a second trial
 */
export async function payWith(
  shop: Shop,
  row: SubscriptionRow & { readonly providerId: string },
  method: string,
  attempt: string = randomUUID(),
): Promise<SubscriptionRow> {
  const { billing } = shop
  await billing.subscriptions.payWith(row.providerId, method).catch((error: unknown) => {
    // Another customer's, or none at all.
    if (error instanceof NotAtProvider || error instanceof PaymentConflict) throw invalidMethod()
    throw error
  })
  for await (const invoice of billing.invoices.list({ subscription: row.providerId }))
    if (invoice.state === 'open')
      await billing.invoices.pay(invoice.id, `pay:${invoice.id}:${attempt}`).catch((error: unknown) => {
        // Paid or made void in the meantime.
        if (!(error instanceof PaymentConflict)) throw error
      })
  const after = (await settleSubscription(shop, row.providerId)) ?? row
  if (row.status === 'incomplete' && isOver(after.status) && (await wasRefusedTrial(shop, row.id)))
    throw refused(METHOD_HAD_TRIAL)
  return after
}

/** A way to store a card for the account's membership, made only where none is open. */
export async function openSetUp(shop: Shop, userId: string): Promise<{ setUp: SetUp; row: SubscriptionRow }> {
  const row = (await runningOf(shop.db, userId)).find(
    ({ providerId, status }) => providerId !== null && status !== 'incomplete',
  )
  if (!row) throw refused('There’s no membership to pay for.')
  const known = row.setUpId
  if (known !== null) {
    const setUp = await shop.billing.setUps.retrieve(known).catch((error: unknown) => {
      if (error instanceof NotAtProvider) return undefined
      throw error
    })
    if (setUp && (setUp.state === 'open' || setUp.state === 'pending')) return { setUp, row }
  }
  const customer = await customerOf(shop, userId)
  const setUp = await shop.billing.setUps.create(
    { customer, metadata: { subscription: row.id } },
    `set-up:${row.id}:${known ?? 'first'}`,
  )
  await rememberSecret(shop.db, row.id, setUp.clientSecret)
  return { setUp, row: await changeSubscription(shop.db, row.id, { setUpId: setUp.id }) }
}

/**
 * The method that somebody names, by itself (`pm_…`) or by the set-up that it was stored with (`seti_…`). Only what the
 * account's own customer stored: another's is not there.
 */
export async function methodOf(shop: Shop, userId: string, given: string): Promise<string> {
  if (given.startsWith('pm_')) return attachMethod(shop, userId, given)
  const [setUp, customer] = await Promise.all([setUpOf(shop, given), selectCustomer(shop.db, userId)])
  if (!setUp?.method || setUp.state !== 'done' || customer === null || setUp.customer !== customer)
    throw invalidMethod()
  return setUp.method.id
}

/** One that a browser made, or that is the account's already. 'Payment method not valid' for all others (ERR-03). */
export async function attachMethod(shop: Shop, userId: string, method: string): Promise<string> {
  try {
    return await shop.billing.customers.keep(await customerOf(shop, userId), method)
  } catch (error) {
    if (error instanceof NotAtProvider || error instanceof PaymentConflict) throw invalidMethod()
    throw error
  }
}

export const invalidMethod = () => refused('Payment method not valid')

/** Null for one that the provider does not know. */
const setUpOf = ({ billing }: Pick<Shop, 'billing'>, id: string): Promise<SetUp | null> =>
  billing.setUps.retrieve(id).catch((error: unknown) => {
    if (error instanceof NotAtProvider) return null
    throw error
  })

export interface PaidAgain {
  readonly outcome: 'paid' | 'checking' | 'refused' | 'authenticate'
  readonly clientSecret: string | null
}

/**
 * The open invoice is tried once more with what is stored. A payment for which the bank wants its customer goes to
 * the browser.
 */
export async function payAgain(shop: Shop, userId: string, id: string): Promise<PaidAgain> {
  const { billing, payments } = shop
  const row = await billedOf(shop, userId, id)
  for await (const invoice of billing.invoices.list({ subscription: row.providerId })) {
    if (invoice.state !== 'open') continue
    // A press is a try of its own; an invoice is paid once, however many there are.
    const idempotencyKey = `again:${invoice.id}:${randomUUID()}`
    const after = await billing.invoices.pay(invoice.id, idempotencyKey).catch((error: unknown) => {
      // Paid or made void in the meantime.
      if (error instanceof PaymentConflict) return billing.invoices.retrieve(invoice.id)
      throw error
    })
    await settleSubscription(shop, row.providerId)
    if (after.state === 'paid') return { outcome: 'paid', clientSecret: null }
    const payment = after.payment === null ? null : await payments.retrievePayment(after.payment)
    if (payment?.state === 'pending') return { outcome: 'checking', clientSecret: null }
    if (!payment || !needsBuyer(payment)) return { outcome: 'refused', clientSecret: null }
    await rememberSecret(shop.db, id, after.clientSecret)
    return { outcome: 'authenticate', clientSecret: after.clientSecret }
  }
  throw refused('There’s nothing to pay.')
}
