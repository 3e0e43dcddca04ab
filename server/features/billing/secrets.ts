import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { insertSecret, type KeptSecret, selectSecret } from './rows.ts'

/** Notes what a browser is given to confirm, before it has it. The provider's secrets begin with the id of what they open. */
export async function handOut(db: Db, subscriptionId: string, clientSecret: string | null): Promise<void> {
  if (clientSecret === null) return
  const id = clientSecret.split('_secret_')[0]!
  await insertSecret(db, { id, clientSecret, subscriptionId })
}

/**
 * What was given out under this id, for whoever holds its secret; undefined for everybody else. So a stranger's guess never
 * reaches the provider.
 */
export async function handedOut(db: Db, id: string, clientSecret: string): Promise<KeptSecret | undefined> {
  const kept = await selectSecret(db, id)
  const known = Buffer.from(kept?.clientSecret ?? '')
  const given = Buffer.from(clientSecret)
  return kept && known.length === given.length && timingSafeEqual(known, given) ? kept : undefined
}
