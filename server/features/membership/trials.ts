import { createHmac, hkdfSync } from 'node:crypto'
import type { Subscription } from '../../integrations/stripe/subscriptions.ts'
import type { Transaction } from '../../db/open.ts'
import type { Config } from '../../settings/config.ts'
import type { Shop } from '../../shop.ts'
import { hasEnded, hasStarted } from './entitlement.ts'
import { hadTrial, hasBegunTrial, insertTrials, selectReservation } from './billing-queries.ts'
import { lockAccount } from './queries.ts'

export const TRIAL_USED = 'You’ve already had a free trial.'

export const METHOD_HAD_TRIAL =
  'You’ve already had a free trial with this card or PayPal account, so nothing has started and nothing was charged. You can still join as a member.'

/** Stored instead of the value. Its key is never rotated, because the hashes must match for years. */
export const trialHash = (
  { codeKey }: Pick<Config, 'codeKey'>,
  of: 'account' | 'method',
  value: string,
): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', codeKey, '', 'murmur trials', 32)))
    .update(`${of}:${value}`)
    .digest('base64url')

/** Every call and webhook that can lead to a started trial calls this before the shop accepts the trial. */
export async function endIfTrialUsed(shop: Shop, id: string, found: Subscription): Promise<Subscription> {
  if (found.state !== 'trialing') return found
  const row = await selectReservation(shop.db, id)
  // Check a superseded join too: it may become the current one again.
  if (!row?.userId || hasStarted(row.status)) return found
  const trial = { id, userId: row.userId, fingerprint: found.method?.fingerprint ?? null }
  return (await isFirstTrial(shop, trial)) ? found : shop.billing.subscriptions.end(found.id)
}

class TrialUsed extends Error {}

/** Recorded before the trial starts, so that of two concurrent trials only one is first. */
const isFirstTrial = (
  shop: Shop,
  {
    id,
    userId,
    fingerprint,
  }: { readonly id: string; readonly userId: string; readonly fingerprint: string | null },
): Promise<boolean> =>
  shop.db
    .transaction(async (tx) => {
      await lockAccount(tx, userId)
      const hashes = [
        trialHash(shop.config, 'account', userId),
        ...(fingerprint ? [trialHash(shop.config, 'method', fingerprint)] : []),
      ]
      if (await hadTrial(tx, hashes, id)) throw new TrialUsed()
      await insertTrials(tx, hashes, id, shop.clock.now())
      if (await hadTrial(tx, hashes, id)) throw new TrialUsed()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof TrialUsed) return false
      throw error
    })

export const recordTrial = (
  tx: Transaction,
  config: Pick<Config, 'codeKey'>,
  { id, userId, begunAt }: { readonly id: string; readonly userId: string; readonly begunAt: Date },
): Promise<void> => insertTrials(tx, [trialHash(config, 'account', userId)], id, begunAt)

export async function wasRefusedTrial({ db }: Pick<Shop, 'db'>, id: string | null): Promise<boolean> {
  const row = id === null ? undefined : await selectReservation(db, id)
  if (!row || row.trialEndsAt === null || row.supersededAt !== null || !hasEnded(row.status)) return false
  return !(await hasBegunTrial(db, row.id))
}
