import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { countOwnerQuestion } from './title-gifts.ts'
import {
  selectGift,
  selectGiftOfSubscription,
  selectIsMember,
  selectOfLines,
  type MembershipGiftRow,
} from './membership-gift-queries.ts'

/** By its id; undefined for none. */
export const givenMembership = (db: Db, id: string): Promise<MembershipGiftRow | undefined> =>
  selectGift(db, id)

/** The gift that a membership came from; undefined for one that was joined. */
export const giftOfSubscription = (db: Db, subscriptionId: string): Promise<MembershipGiftRow | undefined> =>
  selectGiftOfSubscription(db, subscriptionId)

/** The given memberships of these order lines. */
export const membershipGiftsOfLines = (
  db: Db,
  orderLineIds: readonly string[],
): Promise<MembershipGiftRow[]> => selectOfLines(db, orderLineIds)

/**
 * True if the account with an e-mail is a member (API-83). Tells of somebody, so it has the limits of the question
 * who owns a book.
 */
export async function isMember(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { email, ...caller }: { readonly email: string; readonly userId: string | null; readonly address: string },
): Promise<boolean> {
  await countOwnerQuestion(shop, caller)
  return selectIsMember(shop.db, email, shop.clock.now())
}
