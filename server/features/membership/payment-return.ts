import { createHash, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import { settleInvoicePayment } from './membership-refunds.ts'
import { insertSecret, selectSecret, type StoredSecret } from './billing-queries.ts'

export const hashOfSecret = (clientSecret: string): string =>
  createHash('sha256').update(clientSecret).digest('base64url')

/**
 * Notes what a browser is given to confirm, before it has it. Only its hash is stored: the provider says the secret again.
 * The provider's secrets begin with the id of what they open.
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

/**
 * The thing given out under this id, for whoever holds its secret; undefined for everybody else. So a stranger's
 * guess never reaches the provider.
 */
export async function findBySecret(
  db: Db,
  id: string,
  clientSecret: string,
): Promise<StoredSecret | undefined> {
  const stored = await selectSecret(db, id)
  // A row that the release before this one wrote beside us has the secret itself.
  const known = Buffer.from(stored?.secretHash ?? hashOfSecret(stored?.clientSecret ?? ''))
  const given = Buffer.from(hashOfSecret(clientSecret))
  return stored && timingSafeEqual(known, given) ? stored : undefined
}

/**
 * Somebody comes back from the payment of a membership, with the secret that they were given; undefined for a
 * stranger. The provider says what became of it.
 */
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
