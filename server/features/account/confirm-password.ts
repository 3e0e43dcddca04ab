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
 * True if `password` is the account's password. Irreversible actions ask for the password again.
 * @throws 429 after too many wrong passwords, also if they arrive concurrently
 */
export async function provesPassword(
  shop: Shop,
  userId: string,
  password: string,
  /** The account's password hash, if the caller has already read it. */
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
