import { randomUUID } from 'node:crypto'
import { NotAtProvider, PaymentConflict } from '../../outside/stripe/problems.ts'
import type { SetUp } from '../../outside/stripe/set-ups.ts'
import { refused } from '../../wire/refusals.ts'
import { lockAccount } from '../membership/rules.ts'
import { customerOf } from './customer.ts'
import type { Shop } from '../../shop.ts'
import { trialHash } from './trial-hash.ts'
import { invalidMethod } from './methods.ts'
import {
  hadTrial,
  insertTrials,
  selectReservation,
  selectRunning,
  selectSecret,
  selectUserOfCustomer,
  type SubscriptionRow,
  updateSubscription,
} from './rows.ts'
import { rememberSecret } from './secrets.ts'
import { settleSubscription } from './settle.ts'

export type SetUpOutcome = 'done' | 'checking' | 'refused' | 'open' | 'cancelled' | 'trial_used'

export interface SetUpSettled {
  readonly outcome: SetUpOutcome
  readonly userId: string | null
  readonly subscriptionId: string | null
}

const NOBODYS: SetUpSettled = { outcome: 'open', userId: null, subscriptionId: null }

/**
 * A card or PayPal account that was kept is what the membership that asked for it is paid with from now on: it begins the
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
  const row = (await selectRunning(shop.db, userId)).find(({ id }) => id === askedFor)
  const at = { userId, subscriptionId: row?.id ?? null }
  if (setUp.state !== 'done' || setUp.method === null) return { outcome: outcomeOf(setUp), ...at }
  if (!row?.providerId)
    return { outcome: (await wasRefusedTrial(shop, askedFor, setUp)) ? 'trial_used' : 'cancelled', ...at }
  if (row.status === 'incomplete' && row.trialEndsAt && !(await isFirstTrial(shop, row, setUp))) {
    await shop.billing.subscriptions.end(row.providerId)
    await settleSubscription(shop, row.providerId)
    return { outcome: 'trial_used', ...at }
  }
  if (await isReplaced(shop, row, setUp)) return { outcome: 'done', ...at }
  try {
    await payWith(shop, { ...row, providerId: row.providerId }, setUp.method.id, setUp.id)
  } catch (error) {
    // Another join took its place in this moment, and it is over at the provider.
    if ((await selectReservation(shop.db, row.id))?.supersededAt) return { outcome: 'cancelled', ...at }
    throw error
  }
  return { outcome: 'done', ...at }
}

/** The notice, or another tab, came first and ended it: whoever asks afterwards is told the same. */
async function wasRefusedTrial(shop: Shop, id: string | null, { method }: SetUp): Promise<boolean> {
  const row = id === null ? undefined : await selectReservation(shop.db, id)
  const hashes = method?.fingerprint ? [trialHash(shop.config, 'method', method.fingerprint)] : []
  return row?.trialEndsAt != null && (await hadTrial(shop.db, hashes, row.id))
}

/** A newer one was kept since: the notice of this one is late. */
const isReplaced = async ({ billing }: Shop, { setUpId }: SubscriptionRow, { id }: SetUp): Promise<boolean> =>
  setUpId !== null && setUpId !== id && (await billing.setUps.retrieve(setUpId)).state === 'done'

const outcomeOf = ({ state, refusal }: SetUp): SetUpOutcome => {
  if (state === 'pending') return 'checking'
  if (state === 'cancelled') return 'cancelled'
  return refusal ? 'refused' : 'open'
}

class TrialUsed extends Error {}

/**
 * Once for an account, and once for a card or PayPal payer; noted before it begins, so that two cannot both be the
 * first. The one who was not first has nothing noted, and may try with another card.
 */
const isFirstTrial = (shop: Shop, row: SubscriptionRow, { method }: SetUp): Promise<boolean> =>
  shop.db
    .transaction(async (tx) => {
      const userId = row.userId!
      await lockAccount(tx, userId)
      const hashes = [
        trialHash(shop.config, 'account', userId),
        ...(method?.fingerprint ? [trialHash(shop.config, 'method', method.fingerprint)] : []),
      ]
      if (await hadTrial(tx, hashes, row.id)) throw new TrialUsed()
      await insertTrials(tx, hashes, row.id, shop.clock.now())
      // Somebody else's trial with this card may have been noted in the same moment.
      if (await hadTrial(tx, hashes, row.id)) throw new TrialUsed()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof TrialUsed) return false
      throw error
    })

/**
 * From now on with this method; what is open is tried with it at once. Each press is an attempt of its own, since a card that was
 * refused may have money by now; an invoice is paid once all the same.
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
  return (await settleSubscription(shop, row.providerId)) ?? row
}

/** A way to keep a card for the account's membership, made only where none is open. */
export async function openSetUp(shop: Shop, userId: string): Promise<{ setUp: SetUp; row: SubscriptionRow }> {
  const row = (await selectRunning(shop.db, userId)).find(
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
  return { setUp, row: await updateSubscription(shop.db, row.id, { setUpId: setUp.id }) }
}
