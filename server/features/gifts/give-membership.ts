import { givenInWords, type PlanId } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { takeBackEnds } from './giver-actions.ts'
import { giverToken } from './giver-link.ts'
import { deliveryOf } from './delivery-day.ts'
import { insertGift, type MembershipGiftRow } from './membership-gift-queries.ts'
import { claimableUntil, sendGift } from './send-membership-gift.ts'

interface Giving {
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
  { giver, ...giving }: Giving,
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
  if (isNow) await sendGift(tx, shop, gift)
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
