import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { countOwnerQuestion } from '../gifts/rules.ts'
import { daysAfter } from '../membership/rules.ts'
import {
  selectClaims,
  selectGiftOfSubscription,
  selectIsMember,
  selectSuspended,
  selectToRepay,
  type MembershipGiftRow,
} from './rows.ts'

export { keepGifts, nextGiftDay } from './calendar.ts'
export { claimGift, claimWaiting, type Kept, kindOfGift, seeGift, waitingGifts } from './claim.ts'
export { refuseDay, zoneOf } from './day.ts'
export { giveMembership } from './give.ts'
export { correct, givenBy, type GivenShown, oneGivenBy, sendAgain, startTakingBack } from './given.ts'
export { revokeUnpaid, suspendMembership, takeBackMembership } from './money-back.ts'

/** The gift that a membership came from; undefined for one that was joined. */
export const giftOfSubscription = (db: Db, subscriptionId: string): Promise<MembershipGiftRow | undefined> =>
  selectGiftOfSubscription(db, subscriptionId)

/** Gifts that were taken back and whose money is not yet, the oldest first. */
export const giftsToRepay = (db: Db, limit: number): Promise<MembershipGiftRow[]> => selectToRepay(db, limit)

/** A bank has decided by then. */
const LONGEST_DISPUTE_DAYS = 150

/** Orders of gifts that a dispute suspends: nobody may have told that it was closed. */
export const ordersOfSuspendedGifts = (db: Db, now: Date): Promise<string[]> =>
  selectSuspended(db, daysAfter(now, -LONGEST_DISPUTE_DAYS))

/** When the given memberships of these order lines were claimed; a line without one is not in it. */
export const claimsOfMemberships = (
  db: Db,
  orderLineIds: readonly string[],
): Promise<[string, Date | null][]> => selectClaims(db, orderLineIds)

/** Whether the account with an e-mail is a member (API-83). Tells of somebody, so it has the limits of the question who owns a book. */
export async function isMember(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { email, ...caller }: { readonly email: string; readonly userId: string | null; readonly address: string },
): Promise<boolean> {
  await countOwnerQuestion(shop, caller)
  return selectIsMember(shop.db, email, shop.clock.now())
}
