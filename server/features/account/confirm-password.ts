import {
  countHit,
  forgetHits,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import type { Shop } from '../../shop.ts'
import { inHashingQueue } from './hashing.ts'
import { turnOfAccount, WRONG_PASSWORDS } from './limits.ts'
import { passwordMatches } from './passwords.ts'
import { selectPasswordHash } from './profile-queries.ts'

/**
 * True if a password is that of an account: asked again before what cannot be taken back. Throws 429 after too many
 * wrong ones, also where they all come at once.
 */
export async function provesPassword(
  shop: Shop,
  userId: string,
  password: string,
  /** What the password is compared with, where the caller has read it already. */
  known?: string,
): Promise<boolean> {
  const { db, now } = shop
  const limit: LimitOf = [WRONG_PASSWORDS, `change of ${userId}`]
  const refuse = async () => refuseOverLimit([limit], await selectTallies(db, [limit]), now())
  await refuse()
  const passwordHash = known ?? (await selectPasswordHash(db, userId))
  return inHashingQueue(turnOfAccount(userId), async (hash) => {
    await refuse()
    if (await passwordMatches(hash, passwordHash ?? null, password)) {
      await forgetHits(db, ...limit)
      return true
    }
    await countHit(db, ...limit, now())
    noteSecurity(shop, 'password_wrong', { userId })
    return false
  })
}
