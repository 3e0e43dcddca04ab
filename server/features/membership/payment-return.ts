import { createHash, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import { settleInvoicePayment } from './membership-refunds.ts'
import { insertSecret, selectSecret, type StoredSecret } from './billing-queries.ts'

export const hashOfSecret = (clientSecret: string): string =>
  createHash('sha256').update(clientSecret).digest('base64url')

/**
 * Stores a client secret before the browser gets it. Only the hash is stored, because the provider can return the
 * secret again. The part before `_secret_` is the id of the payment or set-up.
 */
export async function rememberSecret(
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

/** Syncs the payment. Returns undefined if the secret is wrong. */
export async function comeBackToMembership(
  shop: Shop,
  { intentId, clientSecret }: { readonly intentId: string; readonly clientSecret: string },
): Promise<{ payment: Payment; subscriptionId: string; userId: string | null } | undefined> {
  const known = await findBySecret(shop.db, intentId, clientSecret)
  if (!known) return undefined
  const paid = await settleInvoicePayment(shop, intentId)
  const { subscriptionId, userId } = known
  return { payment: paid ?? (await shop.payments.retrievePayment(intentId)), subscriptionId, userId }
}
