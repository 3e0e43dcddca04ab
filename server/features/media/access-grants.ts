import { reaches } from '#contract/plans.ts'
import { isUnavailable } from '../../db/errors.ts'
import { TimedCache } from '../../caches.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { entitlementOf } from '../membership/service.ts'
import { selectSoundClaims } from './queries.ts'
import type { AddressHolder } from './signed-addresses.ts'

/** So playback ends within a minute after a refund or a log-out, on every instance, without messages. */
const VALID_MS = 30_000
/** A few chapters each of a few thousand listeners. */
const MOST_KEPT = 20_000

/** A signature is valid for hours; a refund or log-out ends access earlier. Cached for range requests. */
export function mayPlay(shop: Shop, holder: AddressHolder, sha256: string): Promise<boolean> {
  const grants = shop.caches.get(
    mayPlay,
    () => new TimedCache<boolean>({ most: MOST_KEPT, freshMs: VALID_MS, nowMs: () => shop.now().getTime() }),
  )
  return grants.of(`${holder.sessionId} ${sha256}`, (expired) =>
    hasAccess(shop, holder, sha256).catch((error: unknown) => {
      // While the database is unavailable, keep serving listeners who had access.
      if (expired !== undefined && isUnavailable(error)) return expired
      throw error
    }),
  )
}

async function hasAccess(shop: Shop, { userId, sessionId }: AddressHolder, sha256: string): Promise<boolean> {
  if (!(await liveSessionsOf(shop).find(sessionId))) return false
  const { owned, free, tiers } = await selectSoundClaims(shop.db, userId, sha256)
  if (owned || free) return true
  if (tiers.length === 0) return false
  const { tier } = await entitlementOf(shop.db, userId, shop.clock.now())
  return tier !== null && tiers.some((least) => reaches(tier, least ?? 'supporter'))
}
