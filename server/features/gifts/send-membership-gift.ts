import { givenInWords } from '#contract/plans.ts'
import { newSecrets } from '../../codes/secrets.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import type { Shop } from '../../shop.ts'
import { messageFrom } from './send-title-gift.ts'
import { monthsAfter } from '../membership/months.ts'
import {
  insertReplaced,
  lockGiftOfLine,
  type MembershipGiftRow,
  updateGift,
} from './membership-gift-queries.ts'

/** Counted from the delivery; then an unclaimed gift lapses. */
const CLAIMABLE_MONTHS = 24

export const claimableUntil = ({ deliverAt }: Pick<MembershipGiftRow, 'deliverAt'>): Date =>
  monthsAfter(deliverAt, CLAIMABLE_MONTHS)

/** The queue key of the email with this edition's link. */
export const membershipGiftMailKey = ({ id, edition }: Pick<MembershipGiftRow, 'id' | 'edition'>): string =>
  `gift_membership:${id}:${edition}`

/**
 * For the shop's owner: sends the gift of an order line again under a new link.
 *
 * @returns null if the line has no membership gift; false if the gift was claimed, taken back or revoked, has lapsed,
 * or waits for its day
 */
export async function sendMembershipGiftOfLineAgain(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  orderLineId: string,
): Promise<boolean | null> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift) return null
  const { claimedAt, revokedAt, takenBackAt, lapsedAt, sentAt } = gift
  if (claimedAt || revokedAt || takenBackAt || lapsedAt || !sentAt) return false
  await sendMembershipGift(tx, shop, gift)
  return true
}

/**
 * Queues the email of a gift with a new link and code. The earlier ones stop working, and a queued email that still has
 * them is cancelled. The caller has locked the gift.
 */
export async function sendMembershipGift(
  tx: Db,
  { config, clock }: Pick<Shop, 'config' | 'clock'>,
  gift: MembershipGiftRow,
  /** The months since delivery, if this is a reminder. */
  waited: number | null = null,
): Promise<MembershipGiftRow> {
  const { secrets, hashes } = newSecrets(config, 'membership_gift')
  if (gift.edition > 0) {
    const former = [gift.tokenHash, gift.codeHash].filter((hash) => hash !== null)
    await insertReplaced(tx, gift.id, former)
    await cancelMail(tx, membershipGiftMailKey(gift))
  }
  const sent = await updateGift(tx, gift.id, {
    edition: gift.edition + 1,
    sentAt: clock.now(),
    deliveredAt: null,
    failedAt: null,
    ...hashes,
  })
  const plan = config.details.plans[gift.plan]
  await queueMail(tx, {
    to: gift.email,
    kind: 'gift_membership',
    key: membershipGiftMailKey(sent),
    data: {
      giverName: gift.giverName,
      firstName: gift.firstName,
      plan: givenInWords(plan),
      months: plan.months,
      creditsPerMonth: plan.creditsPerMonth,
      christmas: gift.christmas,
      ...(gift.message ? { message: await messageFrom(tx, gift.giverId, gift.message) } : {}),
      email: gift.email,
      claimableUntil: claimableUntil(gift).toISOString(),
      waited,
      ...secrets,
    },
  })
  return sent
}
