import { addressKey, countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'

/** Beginning costs the server a challenge in the database. */
const BEGINNINGS: Limit = { name: 'office begin', most: 60, windowSeconds: 600 }
/** A wrong passkey is no guess that could come true, but costs the check of a signature. */
const ATTEMPTS: Limit = { name: 'office sign-in', most: 30, windowSeconds: 600 }
/** Recovery codes have 50 random bits. */
const RECOVERIES_OF_ADDRESS: Limit = { name: 'office recovery from', most: 10, windowSeconds: 3600 }
const RECOVERIES_OF_ACCOUNT: Limit = { name: 'office recovery of', most: 5, windowSeconds: 3600 }

type Counted = Pick<Shop, 'db' | 'now'>

export const countBeginning = ({ db, now }: Counted, address: string): Promise<void> =>
  countOrRefuse(db, BEGINNINGS, addressKey(address), now())

export const countAttempt = ({ db, now }: Counted, address: string): Promise<void> =>
  countOrRefuse(db, ATTEMPTS, addressKey(address), now())

/** Before the code is compared, also for an address without an account, so that the answer tells nothing. */
export async function countRecovery({ db, now }: Counted, address: string, email: string): Promise<void> {
  await countOrRefuse(db, RECOVERIES_OF_ADDRESS, addressKey(address), now())
  await countOrRefuse(db, RECOVERIES_OF_ACCOUNT, email.trim().toLowerCase(), now())
}
