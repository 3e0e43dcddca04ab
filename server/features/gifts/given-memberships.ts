import type { GivenState } from '#contract/membership-gifts.ts'
import type { Db } from '../../db/open.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { notFound, refused, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  selectClaimer,
  type GivenMembershipRow,
  lockMembershipGift,
  type MembershipGiftRow,
  selectMembershipsGivenBy,
  selectMembershipGivenByLink,
  selectMembershipGivenBy,
  updateMembershipGift,
} from './queries.ts'
import {
  blankAsNull,
  countSentAgain,
  refuseOver,
  refuseTakingBack,
  stateOfGiven,
  storesMail,
  waysOf,
  type Giver,
} from './giver-actions.ts'
import { askForRefund } from '../refunds/service.ts'
import {
  deliveryOf,
  refuseDay,
  zoneOf,
  revokeUnpaid,
  membershipGiftMailKey,
  sendMembershipGift,
} from './membership-gifts.ts'

export interface GivenShown extends GivenMembershipRow {
  readonly state: GivenState
  readonly isChangeable: boolean
  /** The end of the time for taking it back; null if that is not possible. */
  readonly takeBackUntil: Date | null
}

/** The gifts of an account, and those from its confirmed addresses before it had an account. */
export async function membershipsGivenBy(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
): Promise<GivenShown[]> {
  const given = await selectMembershipsGivenBy(shop.db, userId, await addressesOf(shop.db, userId))
  return givenMembershipShown(shop, given)
}

/** @throws 404 for another giver's gift */
export async function oneMembershipGivenBy(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  giver: Giver,
  id: string,
): Promise<GivenShown> {
  const given =
    giver === 'link'
      ? await selectMembershipGivenByLink(shop.db, id)
      : await selectMembershipGivenBy(shop.db, giver.userId, await addressesOf(shop.db, giver.userId), id)
  if (!given) throw notFound()
  return (await givenMembershipShown(shop, [given]))[0]!
}

async function addressesOf(db: Db, userId: string): Promise<readonly string[]> {
  const account = await selectClaimer(db, userId)
  return account?.confirmedAt ? account.addresses : []
}

async function givenMembershipShown(
  { db, config, clock }: Pick<Shop, 'db' | 'config' | 'clock'>,
  given: readonly GivenMembershipRow[],
): Promise<GivenShown[]> {
  const deliveries = await deliveryStatesOf(
    db,
    given.map(({ gift }) => membershipGiftMailKey(gift)),
  )
  const now = clock.now()
  return given.map((each) => {
    const { gift } = each
    const state = stateOfGiven(gift, {
      isSent: gift.sentAt !== null,
      delivery: deliveries.get(membershipGiftMailKey(gift)),
      isDelivered: gift.deliveredAt !== null || storesMail(config),
    })
    return { ...each, state, ...waysOf(state, gift, now) }
  })
}

export interface MembershipCorrection {
  readonly giftEmail?: string
  readonly giftRecipientFirstName?: string | null
  readonly giftMessage?: string | null
  readonly giftDeliveryDate?: string | null
  readonly giftTimeZone?: string
}

/**
 * Corrects an unclaimed gift. A gift that was sent already is sent again, to the corrected address.
 * @throws 422 for a gift that can no longer be changed and for an invalid day; 429 after five emails a day
 */
export async function correctGivenMembership(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  giver: Giver,
  id: string,
  correction: MembershipCorrection,
): Promise<GivenShown> {
  await changeGivenMembership(shop, giver, id, async (tx, gift) => {
    const now = shop.clock.now()
    const { giftEmail, giftRecipientFirstName, giftMessage, giftDeliveryDate, giftTimeZone } = correction
    const asksForDay = giftDeliveryDate !== undefined || giftTimeZone !== undefined
    if (asksForDay && gift.sentAt) throw unprocessable('giftDeliveryDate', 'It’s already on its way.')
    const zone = giftTimeZone === undefined ? gift.zone : zoneOf(giftTimeZone, shop.config)
    const day = giftDeliveryDate === undefined ? gift.day : giftDeliveryDate
    if (gift.christmas && day === null) throw unprocessable('giftDeliveryDate', 'Please choose a day.')
    if (day !== null && asksForDay) refuseDay(day, zone, now)
    if (gift.christmas && giftRecipientFirstName !== undefined && !giftRecipientFirstName?.trim())
      throw unprocessable('giftRecipientFirstName', 'Please enter the recipient’s first name.')
    const corrected = await updateMembershipGift(tx, id, {
      email: giftEmail ?? gift.email,
      firstName: giftRecipientFirstName === undefined ? gift.firstName : blankAsNull(giftRecipientFirstName),
      message: giftMessage === undefined ? gift.message : blankAsNull(giftMessage),
      ...(asksForDay ? { zone, day, deliverAt: deliveryOf(day, zone, now) } : {}),
    })
    if (!differs(gift, corrected)) return
    if (gift.sentAt || corrected.deliverAt <= now) {
      await countSentAgain(tx, id, shop.now())
      // The previous link may have gone to another person.
      await sendMembershipGift(tx, shop, corrected)
    }
  })
  return oneMembershipGivenBy(shop, giver, id)
}

const differs = (before: MembershipGiftRow, after: MembershipGiftRow): boolean =>
  (['email', 'firstName', 'message', 'day', 'zone'] as const).some((field) => before[field] !== after[field])

export async function sendGivenMembershipAgain(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  giver: Giver,
  id: string,
): Promise<GivenShown> {
  await changeGivenMembership(shop, giver, id, async (tx, gift) => {
    if (!gift.sentAt) throw refused('Its day hasn’t come yet.')
    await countSentAgain(tx, id, shop.now())
    await sendMembershipGift(tx, shop, gift)
  })
  return oneMembershipGivenBy(shop, giver, id)
}

/**
 * Stops the gift from being claimed and creates the refund of its whole price. Safe to repeat.
 *
 * @throws 422 for a gift that was claimed or is older than 14 days
 * @returns the id of the refund, which the caller sends; null for a gift that cost nothing
 */
export async function startTakingBack(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  giver: Giver,
  id: string,
  now = shop.clock.now(),
): Promise<string | null> {
  await oneMembershipGivenBy(shop, giver, id)
  return shop.db.transaction(async (tx) => {
    const gift = await lockMembershipGift(tx, id)
    if (!gift) throw notFound()
    if (!gift.takenBackAt) {
      refuseTakingBack(gift, now)
      await updateMembershipGift(tx, id, { takenBackAt: now })
    }
    const { orderId, paidMinor: amountMinor } = gift
    if (orderId === null || amountMinor === 0) {
      await revokeUnpaid(tx, shop.config.details.plans, id, now)
      return null
    }
    const refund = { reason: 'gift-taken-back', key: `gift-taken-back:${id}`, orderId, amountMinor } as const
    return (await askForRefund(tx, refund, now)).id
  })
}

/** Runs `work` with this giver's unclaimed gift locked. */
async function changeGivenMembership(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  giver: Giver,
  id: string,
  work: (tx: Db, gift: MembershipGiftRow) => Promise<void>,
): Promise<void> {
  await oneMembershipGivenBy(shop, giver, id)
  await shop.db.transaction(async (tx) => {
    const gift = await lockMembershipGift(tx, id)
    if (!gift) throw notFound()
    refuseOver(gift)
    await work(tx, gift)
  })
}
