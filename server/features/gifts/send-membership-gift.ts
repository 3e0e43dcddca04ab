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

/** Unclaimed, it lapses after so many months. */
const CLAIMABLE_MONTHS = 24

export const claimableUntil = ({ deliverAt }: Pick<MembershipGiftRow, 'deliverAt'>): Date =>
  monthsAfter(deliverAt, CLAIMABLE_MONTHS)

/** The mail of an edition. */
export const mailKeyOf = ({ id, edition }: Pick<MembershipGiftRow, 'id' | 'edition'>): string =>
  `gift_membership:${id}:${edition}`

/**
 * For whoever runs the shop: the gift of an order line goes out once more, under a new link.
 *
 * @returns null where there is none, and false for one that was opened, is over, or has its day to come
 */
export async function sendGiftOfLineAgain(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  orderLineId: string,
): Promise<boolean | null> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift) return null
  const { claimedAt, revokedAt, takenBackAt, lapsedAt, sentAt } = gift
  if (claimedAt || revokedAt || takenBackAt || lapsedAt || !sentAt) return false
  await sendGift(tx, shop, gift)
  return true
}

/**
 * Hands a gift to the post, with a link and a code of its own: those before it open nothing any more, and a mail that still
 * waits with them is not sent. The caller holds its row.
 */
export async function sendGift(
  tx: Db,
  { config, clock }: Pick<Shop, 'config' | 'clock'>,
  gift: MembershipGiftRow,
  /** The months it waited, where it is sent as a reminder. */
  waited: number | null = null,
): Promise<MembershipGiftRow> {
  const { secrets, hashes } = newSecrets(config, 'membership_gift')
  if (gift.edition > 0) {
    const former = [gift.tokenHash, gift.codeHash].filter((hash) => hash !== null)
    await insertReplaced(tx, gift.id, former)
    await cancelMail(tx, mailKeyOf(gift))
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
    key: mailKeyOf(sent),
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
