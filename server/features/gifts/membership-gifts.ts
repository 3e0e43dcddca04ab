import type { BusinessTime } from '../../clock.ts'
import { givenInWords, type PlanId, type Plans } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { takeBackEnds, giverToken } from './giver-actions.ts'
import {
  insertMembershipGift,
  type MembershipGiftRow,
  lockMembershipGift,
  lockMembershipGiftOfLine,
  updateMembershipGift,
  selectClaimer,
  insertReplacedMembershipLinks,
} from './queries.ts'
import { selectHasOngoing } from '../membership/entitlement-queries.ts'
import { countOwnerQuestion, messageFrom } from './title-gifts.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import { ALWAYS, monthsAfter } from '../membership/months.ts'
import { changeSubscription } from '../membership/subscription-state.ts'
import { lockSubscription } from '../membership/queries.ts'
import { revokeCredits } from '../membership/credit-queries.ts'
import { deliveryOf } from '../products/delivery-day.ts'
import { newSecrets } from '../../codes/secrets.ts'

interface MembershipGiving {
  readonly orderLineId: string | null
  readonly orderId: string | null
  readonly plan: PlanId
  readonly giver: { readonly id: string | null; readonly name: string; readonly email: string | null }
  readonly email: string
  readonly message: string | null
  readonly firstName: string | null
  readonly day: string | null
  readonly zone: string
  readonly christmas: boolean
  readonly paidMinor: number
}

/** Sends it at once, or leaves it to the gift job until its day. Returns the gift's id. */
export async function giveMembership(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { giver, ...giving }: MembershipGiving,
): Promise<string> {
  const now = shop.clock.now()
  const gift = await insertMembershipGift(tx, {
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

/** The answer reveals something about a person, so it shares the limits of `isPurchased` (API-83). */
export async function isMember(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { email, ...caller }: { readonly email: string; readonly userId: string | null; readonly address: string },
): Promise<boolean> {
  await countOwnerQuestion(shop, caller)
  return selectHasOngoing(shop.db, email, shop.clock.now())
}

/** Chosen titles stay. @returns the account whose membership it was, to which the caller publishes the change */
export async function takeBackMembership(
  tx: Db,
  { orderLineId, title }: { readonly orderLineId: string; readonly title: string },
  now: Date,
): Promise<string | undefined> {
  const gift = await lockMembershipGiftOfLine(tx, orderLineId)
  // The plan's name when it was paid, for the middle of a sentence.
  const plan = `${title.charAt(0).toLowerCase()}${title.slice(1)}`
  return gift && !gift.revokedAt ? revokeGift(tx, gift, plan, now) : undefined
}

export async function revokeUnpaid(tx: Db, plans: Plans, id: string, now: BusinessTime): Promise<void> {
  const gift = await lockMembershipGift(tx, id)
  if (gift && !gift.revokedAt) await revokeGift(tx, gift, givenInWords(plans[gift.plan]), now)
}

async function revokeGift(
  tx: Db,
  gift: MembershipGiftRow,
  plan: string,
  now: Date,
): Promise<string | undefined> {
  await updateMembershipGift(tx, gift.id, { revokedAt: now })
  await cancelMail(tx, membershipGiftMailKey(gift))
  if (gift.subscriptionId) {
    await endGivenMembership(tx, gift.subscriptionId, now)
    await revokeCredits(tx, gift.subscriptionId, ALWAYS, now)
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

/** Null as `at` ends the suspension. Returns the account of the claimer. */
export async function suspendMembership(
  tx: Db,
  { orderLineId }: { readonly orderLineId: string },
  at: BusinessTime | null,
): Promise<string | undefined> {
  const gift = await lockMembershipGiftOfLine(tx, orderLineId)
  if (!gift || gift.revokedAt || (gift.suspendedAt !== null) === (at !== null)) return undefined
  await updateMembershipGift(tx, gift.id, { suspendedAt: at })
  if (gift.subscriptionId) {
    const { status } = await changeSubscription(tx, gift.subscriptionId, { suspendedAt: at })
    // If the recipient withdrew meanwhile, the credits stay revoked.
    if (at !== null || status === 'active') await revokeCredits(tx, gift.subscriptionId, ALWAYS, at)
  }
  return gift.claimedBy ?? undefined
}

/** Counted from the delivery; then an unclaimed gift lapses. */
const CLAIMABLE_MONTHS = 24

export const claimableUntil = ({ deliverAt }: Pick<MembershipGiftRow, 'deliverAt'>): Date =>
  monthsAfter(deliverAt, CLAIMABLE_MONTHS)

export const membershipGiftMailKey = ({ id, edition }: Pick<MembershipGiftRow, 'id' | 'edition'>): string =>
  `gift_membership:${id}:${edition}`

/** @returns null if the line has no membership gift; false if the gift can't be sent now */
export async function sendMembershipGiftOfLineAgain(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  orderLineId: string,
): Promise<boolean | null> {
  const gift = await lockMembershipGiftOfLine(tx, orderLineId)
  if (!gift) return null
  const { claimedAt, revokedAt, takenBackAt, lapsedAt, sentAt } = gift
  if (claimedAt || revokedAt || takenBackAt || lapsedAt || !sentAt) return false
  await sendMembershipGift(tx, shop, gift)
  return true
}

/** Cancels a queued email that has the earlier link and code. The caller has locked the gift. */
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
    await insertReplacedMembershipLinks(tx, gift.id, former)
    await cancelMail(tx, membershipGiftMailKey(gift))
  }
  const sent = await updateMembershipGift(tx, gift.id, {
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
