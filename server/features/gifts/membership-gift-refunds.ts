import { givenInWords, type Plans } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import { claimerOf } from './title-gifts.ts'
import { ALWAYS } from '../membership/months.ts'
import { changeSubscription, lockSubscription } from '../membership/subscription-state.ts'
import { revokeFor } from '../membership/credits.ts'
import { lockGift, lockGiftOfLine, type MembershipGiftRow, updateGift } from './membership-gift-queries.ts'
import { mailKeyOf } from './send-membership-gift.ts'

/**
 * An order line was refunded in full: disables its gift, and ends the membership that it became together with its
 * unspent credits. Chosen titles stay (docs/product.md, Memberships in detail).
 *
 * @returns the account whose membership it was, to which the caller publishes the change
 */
export async function takeBackMembership(
  tx: Db,
  { orderLineId, title }: { readonly orderLineId: string; readonly title: string },
  now: Date,
): Promise<string | undefined> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  // The plan's name when it was paid, for the middle of a sentence.
  const plan = `${title.charAt(0).toLowerCase()}${title.slice(1)}`
  return gift && !gift.revokedAt ? revoke(tx, gift, plan, now) : undefined
}

/** Revokes a gift that cost nothing, or whose order was deleted: there is no refund to wait for. */
export async function revokeUnpaid(tx: Db, plans: Plans, id: string, now: Date): Promise<void> {
  const gift = await lockGift(tx, id)
  if (gift && !gift.revokedAt) await revoke(tx, gift, givenInWords(plans[gift.plan]), now)
}

async function revoke(tx: Db, gift: MembershipGiftRow, plan: string, now: Date): Promise<string | undefined> {
  await updateGift(tx, gift.id, { revokedAt: now })
  await cancelMail(tx, mailKeyOf(gift))
  if (gift.subscriptionId) {
    await end(tx, gift.subscriptionId, now)
    await revokeFor(tx, gift.subscriptionId, ALWAYS, now)
  }
  const claimer = gift.claimedBy === null ? undefined : await claimerOf(tx, gift.claimedBy)
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
async function end(tx: Db, id: string, now: Date): Promise<void> {
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
  at: Date | null,
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
