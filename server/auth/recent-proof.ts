import { PROOF_MINUTES } from '#contract/limits.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { Refusal } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'
import type { Caller } from './access.ts'
import { selectProved } from './session-queries.ts'

/** Whether this session's user logged in, or gave the password again, within the last 15 minutes. */
export async function isProved(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  { sessionId }: Pick<Caller, 'sessionId'>,
): Promise<boolean> {
  const at = await selectProved(db, sessionId)
  return at !== undefined && now().getTime() - at.getTime() < PROOF_MINUTES * MINUTE_MS
}

/**
 * For giving, and for adding a card: a stolen session can buy titles for that account's own library and nothing else.
 *
 * @throws 403 `proof_needed`
 */
export async function refuseUnproved(
  shop: Pick<Shop, 'db' | 'now'>,
  caller: Pick<Caller, 'sessionId'>,
): Promise<void> {
  if (!(await isProved(shop, caller))) throw proofNeeded()
}

export const proofNeeded = () =>
  new Refusal('forbidden', 'Please confirm that it’s you first.', { reason: 'proof_needed' })
