import { givenInWords, type PlanId, type Plans } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { takeBackEnds, giverToken } from './giver-actions.ts'
import { deliveryOf } from './delivery-day.ts'
import {
  insertGift,
  type MembershipGiftRow,
  selectGift,
  selectIsMember,
  selectOfLines,
  lockGift,
  lockGiftOfLine,
  updateGift,
} from './membership-gift-queries.ts'
import { claimableUntil, sendMembershipGift, membershipGiftMailKey } from './send-membership-gift.ts'
import { countOwnerQuestion } from './title-gifts.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import { selectClaimer } from './title-gift-queries.ts'
import { ALWAYS } from '../membership/months.ts'
import { changeSubscription, lockSubscription } from '../membership/subscription-state.ts'
import { revokeFor } from '../membership/credits.ts'

interface MembershipGiving {
  readonly orderLineId: string | null
  readonly orderId: string | null
  readonly plan: PlanId
  /** A visitor has an address, but no account. */
  readonly giver: { readonly id: string | null; readonly name: string; readonly email: string | null }
  readonly email: string
  readonly message: string | null
  readonly firstName: string | null
  readonly day: string | null
  readonly zone: string
  readonly christmas: boolean
  readonly paidMinor: number
}

/**
 * Creates a membership gift in the transaction that records its payment. Sends it at once, or leaves it to the gift job
 * until its day. Returns the gift's id.
 */
export async function giveMembership(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { giver, ...giving }: MembershipGiving,
): Promise<string> {
  const now = shop.clock.now()
  const gift = await insertGift(tx, {
    ...giving,
    giverId: giver.id,
    giverName: giver.name,
    giverEmail: giver.email,
    givenAt: now,
    deliverAt: deliveryOf(giving.day, giving.zone, now),
  })
  const isNow = gift.deliverAt <= now
  if (isNow) await sendMembershipGift(tx, shop, gift)
  if (giver.email)
    await queueMail(tx, {
      to: giver.email,
      kind: 'gift_membership_given',
      key: `gift_membership_given:${gift.id}`,
      data: {
        giverName: giver.name,
        plan: givenInWords(shop.config.details.plans[gift.plan]),
        recipient: gift.firstName ?? gift.email,
        email: gift.email,
        arrivesAt: isNow ? null : gift.deliverAt.toISOString(),
        zone: gift.zone,
        ...giftTimes(gift),
        giverToken: giverToken(shop.config, { kind: 'membership', id: gift.id }),
      },
    })
  return gift.id
}

export const giftTimes = (gift: MembershipGiftRow) => ({
  takeBackUntil: takeBackEnds(gift).toISOString(),
  claimableUntil: claimableUntil(gift).toISOString(),
})

export const givenMembership = (db: Db, id: string): Promise<MembershipGiftRow | undefined> =>
  selectGift(db, id)

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

/**
 * An order line was refunded in full: disables its gift, and ends the membership that it became together with its
 * unspent credits. Chosen titles stay (docs/product.md, Memberships in detail).
 *
 * @returns the account whose membership it was, to which the caller publishes the change
 */
export async function takeBackMembership(
  tx: Db,
  { orderLineId, title }: { readonly orderLineId: string; readonly title: string },
  now: BusinessTime,
): Promise<string | undefined> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  // The plan's name when it was paid, for the middle of a sentence.
  const plan = `${title.charAt(0).toLowerCase()}${title.slice(1)}`
  return gift && !gift.revokedAt ? revokeGift(tx, gift, plan, now) : undefined
}

/** Revokes a gift that cost nothing, or whose order was deleted: there is no refund to wait for. */
export async function revokeUnpaid(tx: Db, plans: Plans, id: string, now: BusinessTime): Promise<void> {
  const gift = await lockGift(tx, id)
  if (gift && !gift.revokedAt) await revokeGift(tx, gift, givenInWords(plans[gift.plan]), now)
}

async function revokeGift(
  tx: Db,
  gift: MembershipGiftRow,
  plan: string,
  now: BusinessTime,
): Promise<string | undefined> {
  await updateGift(tx, gift.id, { revokedAt: now })
  await cancelMail(tx, membershipGiftMailKey(gift))
  if (gift.subscriptionId) {
    await endGivenMembership(tx, gift.subscriptionId, now)
    await revokeFor(tx, gift.subscriptionId, ALWAYS, now)
  }
  const claimer = gift.claimedBy === null ? undefined : await selectClaimer(tx, gift.claimedBy)
  if (!claimer) return undefined
  await queueMail(tx, {
    to: claimer.email,
    kind: 'gift_membership_withdrawn',
    key: `gift_membership_withdrawn:${gift.id}`,
    data: { plan },
  })
  return gift.claimedBy ?? undefined
}

/** A membership that had expired, but was not recorded as ended, ends at its expiry and not now. */
async function endGivenMembership(tx: Db, id: string, now: BusinessTime): Promise<void> {
  const row = await lockSubscription(tx, id)
  if (row?.status !== 'active') return
  const endedAt = row.validUntil < now ? row.validUntil : now
  await changeSubscription(tx, id, {
    status: 'canceled',
    canceledAt: now,
    endedAt,
    validUntil: endedAt,
  })
}

/**
 * A dispute about the payment suspends the gift, claimed or not. Pass null as `at` when the dispute is won. Returns the
 * account of the claimer.
 */
export async function suspendMembership(
  tx: Db,
  { orderLineId }: { readonly orderLineId: string },
  at: BusinessTime | null,
): Promise<string | undefined> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift || gift.revokedAt || (gift.suspendedAt !== null) === (at !== null)) return undefined
  await updateGift(tx, gift.id, { suspendedAt: at })
  if (gift.subscriptionId) {
    const { status } = await changeSubscription(tx, gift.subscriptionId, { suspendedAt: at })
    // If the recipient withdrew meanwhile, the credits stay revoked.
    if (at !== null || status === 'active') await revokeFor(tx, gift.subscriptionId, ALWAYS, at)
  }
  return gift.claimedBy ?? undefined
}
