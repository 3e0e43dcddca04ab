import { NotAtProvider } from '../../outside/stripe/problems.ts'
import type { SetUp } from '../../outside/stripe/set-ups.ts'
import { refused } from '../../refusals.ts'
import type { Desk } from './desk.ts'
import { selectCustomer } from './rows.ts'

/**
 * The method that somebody names, by itself (`pm_…`) or by the set-up that it was kept with (`seti_…`). Only what the
 * account's own customer kept: another's is not there.
 */
export async function methodOf(desk: Desk, userId: string, given: string): Promise<string> {
  if (given.startsWith('pm_')) return given
  const [setUp, customer] = await Promise.all([setUpOf(desk, given), selectCustomer(desk.db, userId)])
  if (!setUp?.method || setUp.state !== 'done' || customer === null || setUp.customer !== customer)
    throw refused('Payment method not valid')
  return setUp.method.id
}

/** Null for one that the provider does not know. */
export const setUpOf = ({ billing }: Pick<Desk, 'billing'>, id: string): Promise<SetUp | null> =>
  billing.setUps.retrieve(id).catch((error: unknown) => {
    if (error instanceof NotAtProvider) return null
    throw error
  })
