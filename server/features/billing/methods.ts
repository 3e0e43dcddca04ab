import { NotAtProvider, PaymentConflict } from '../../outside/stripe/problems.ts'
import type { SetUp } from '../../outside/stripe/set-ups.ts'
import { refused } from '../../wire/refusals.ts'
import { customerOf } from './customer.ts'
import type { Shop } from '../../shop.ts'
import { selectCustomer } from './rows.ts'

/**
 * The method that somebody names, by itself (`pm_…`) or by the set-up that it was kept with (`seti_…`). Only what the
 * account's own customer kept: another's is not there.
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
