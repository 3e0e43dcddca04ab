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

export const givenMembership = (db: Db, id: string): Promise<MembershipGiftRow | undefined> =>
  selectGift(db, id)

/** The gift that a membership came from; undefined for a membership that its owner bought. */
export const giftOfSubscription = (db: Db, subscriptionId: string): Promise<MembershipGiftRow | undefined> =>
  selectGiftOfSubscription(db, subscriptionId)

export const membershipGiftsOfLines = (
  db: Db,
  orderLineIds: readonly string[],
): Promise<MembershipGiftRow[]> => selectOfLines(db, orderLineIds)

/**
 * True if the account with this email is a member (API-83). The answer reveals something about a person, so it shares
 * the limits of the question who owns a title.
 */
export async function isMember(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { email, ...caller }: { readonly email: string; readonly userId: string | null; readonly address: string },
): Promise<boolean> {
  await countOwnerQuestion(shop, caller)
  return selectIsMember(shop.db, email, shop.clock.now())
}
