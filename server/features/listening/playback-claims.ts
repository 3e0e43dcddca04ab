import type { Shop } from '../../shop.ts'
import type { SoundClaimAnswer } from '#contract/listening.ts'
import { deviceNames } from '../account/devices.ts'
import { publishTransient } from '../feed/service.ts'
import { type Claim, deleteClaim, storeClaim, selectClaim } from './queries.ts'
import { claimView } from './serializers.ts'

export interface SentClaim extends Omit<Claim, 'startedAt'> {
  readonly agoSeconds: number
}

/**
 * The device that started last plays, in server time. `agoSeconds` is measured with a monotonic clock, so a start
 * while offline counts from its real time. Repeating a claim changes nothing.
 */
export async function claimSound(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  { agoSeconds, ...sent }: SentClaim,
): Promise<SoundClaimAnswer> {
  const claim = { ...sent, startedAt: new Date(Math.max(0, now().getTime() - agoSeconds * 1000)) }
  const before = await selectClaim(db, userId)
  const taken = await storeClaim(db, userId, claim)
  // If the winning claim was released in this moment, nothing blocks this one.
  const stands = taken ? claim : ((await selectClaim(db, userId)) ?? claim)
  const names = await deviceNames(db, userId)
  const view = claimView(stands, names)
  if (taken)
    await publishTransient(db, [{ userId, data: { type: 'sound', claim: view } }]).catch((error: unknown) =>
      log.warn({ err: error }, 'a claim could not be told'),
    )
  return { ...view, before: taken && before ? claimView(before, names) : null }
}

/** Does nothing if another device has taken over. */
export async function releaseSound(
  { db, log }: Pick<Shop, 'db' | 'log'>,
  userId: string,
  claimId: string,
): Promise<void> {
  if (!(await deleteClaim(db, userId, claimId))) return
  await publishTransient(db, [{ userId, data: { type: 'silence', claimId } }]).catch((error: unknown) =>
    log.warn({ err: error }, 'a silence could not be told'),
  )
}
