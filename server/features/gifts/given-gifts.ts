import type { BusinessTime } from '../../clock.ts'
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
  type TitleGiftRow,
  type GivenTitleRow,
  lockTitleGift,
  selectTitleGift,
  selectTitlesGivenBy,
  selectNewlyFailedTitleGifts,
  selectTitleGivenBy,
  selectOwnsByEmail,
  updateTitleGift,
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
  giverToken,
} from './giver-actions.ts'
import { requestRefund } from '../refunds/service.ts'
import { deliveryOf, refuseDay, zoneOf } from '../products/delivery-day.ts'
import { revokeUnpaid, membershipGiftMailKey, sendMembershipGift } from './membership-gifts.ts'
import { MESSAGES } from '#contract/messages.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { isScheduled, titleGiftMailKey, mailTitleGiftWithNewLink } from './title-gifts.ts'

export interface GivenShown extends GivenMembershipRow {
  readonly state: GivenState
  readonly isChangeable: boolean
  readonly takeBackUntil: Date | null
}

/** Includes gifts from its confirmed addresses, given before it had an account. */
export async function membershipsGivenBy(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
): Promise<GivenShown[]> {
  const given = await selectMembershipsGivenBy(shop.db, userId, await addressesOf(shop.db, userId))
  return givenMembershipShown(shop, given)
}

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

/** Safe to repeat. Returns the id of the refund, which the caller sends; null if the gift cost nothing. */
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
    return (await requestRefund(tx, refund, now)).id
  })
}

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

export interface GivenTitleShown extends GivenTitleRow {
  readonly state: GivenState
  readonly isChangeable: boolean
  readonly takeBackUntil: Date | null
}

type GiftShop = Pick<Shop, 'db' | 'config' | 'now' | 'clock'>

export const givenTitlesBy = async (shop: GiftShop, userId: string): Promise<GivenTitleShown[]> =>
  shown(shop, await selectTitlesGivenBy(shop.db, userId))

export async function oneTitleGivenBy(shop: GiftShop, giver: Giver, id: string): Promise<GivenTitleShown> {
  const given = await selectTitleGivenBy(shop.db, giver === 'link' ? null : giver.userId, id)
  if (!given) throw notFound()
  return (await shown(shop, [given]))[0]!
}

async function shown(
  { db, config, clock }: GiftShop,
  given: readonly GivenTitleRow[],
): Promise<GivenTitleShown[]> {
  const deliveries = await deliveryStatesOf(
    db,
    given.map(({ gift }) => titleGiftMailKey(gift)),
  )
  return given.map((each) => {
    const { gift } = each
    const delivery = deliveries.get(titleGiftMailKey(gift))
    // Old emails are deleted; one that failed is recorded in `failedAt`.
    const isDelivered = delivery === undefined || storesMail(config)
    const state = stateOfGiven(gift, { isSent: !isScheduled(gift), delivery, isDelivered })
    const { isChangeable, takeBackUntil } = waysOf(state, gift, clock.now())
    const isPaid = gift.orderLineId !== null
    return { ...each, state, isChangeable, takeBackUntil: isPaid ? takeBackUntil : null }
  })
}

interface TitleCorrection {
  readonly giftEmail?: string
  readonly giftMessage?: string | null
  readonly giftDeliveryDate?: string | null
  readonly giftTimeZone?: string
}

export async function correctGivenTitle(
  shop: GiftShop,
  giver: Giver,
  id: string,
  { giftEmail, giftMessage, giftDeliveryDate, giftTimeZone }: TitleCorrection,
): Promise<GivenTitleShown> {
  const { gift: before } = await oneTitleGivenBy(shop, giver, id)
  const email = giftEmail ?? before.email
  const message = giftMessage === undefined ? before.message : blankAsNull(giftMessage)
  const now = shop.clock.now()
  const asksForDay = giftDeliveryDate !== undefined || giftTimeZone !== undefined
  const zone = zoneOf(giftTimeZone ?? before.zone, shop.config)
  const day = giftDeliveryDate === undefined ? before.day : giftDeliveryDate
  const isMoved = asksForDay && (day !== before.day || (day !== null && zone !== before.zone))
  if (email !== before.email || message !== before.message || isMoved) {
    refuseOver(before)
    if (isMoved && !isScheduled(before)) throw unprocessable('giftDeliveryDate', 'It’s already on its way.')
    if (isMoved && day !== null) refuseDay(day, zone, now)
    // Outside the transaction, so that refusals count too: they reveal whether an account owns the book.
    await countSentAgain(shop.db, id, shop.now())
    const isSamePerson = email.toLowerCase() === before.email.toLowerCase()
    if (!isSamePerson && (await selectOwnsByEmail(shop.db, before.bookId, email)))
      throw unprocessable('giftEmail', MESSAGES.alreadyHaveBook)
    await change(shop, giver, id, async (tx, gift, title) => {
      if (isMoved && !isScheduled(gift)) throw unprocessable('giftDeliveryDate', 'It’s already on its way.')
      const moved = isMoved ? { day, zone, deliverAt: deliveryOf(day, zone, now) } : {}
      const corrected = await updateTitleGift(tx, id, { email, message, ...moved })
      if (!isScheduled(corrected) || corrected.deliverAt! <= now)
        await mailTitleGiftWithNewLink(tx, shop, corrected, title)
    })
  }
  return oneTitleGivenBy(shop, giver, id)
}

export async function sendGivenTitleAgain(
  shop: GiftShop,
  giver: Giver,
  id: string,
): Promise<GivenTitleShown> {
  await change(shop, giver, id, async (tx, gift, title) => {
    if (isScheduled(gift)) throw refused('Its day hasn’t come yet.')
    await countSentAgain(tx, id, shop.now())
    await mailTitleGiftWithNewLink(tx, shop, gift, title)
  })
  return oneTitleGivenBy(shop, giver, id)
}

/** The caller has locked the order and sends the refund. Returns false if it was already taken back. */
export async function startTakingBackTitle(tx: Db, id: string, now: BusinessTime): Promise<boolean> {
  const gift = await lockTitleGift(tx, id)
  if (!gift) throw notFound()
  if (gift.takenBackAt) return false
  refuseTakingBack(gift, now)
  await updateTitleGift(tx, id, { takenBackAt: now })
  return true
}

async function change(
  shop: GiftShop,
  giver: Giver,
  id: string,
  work: (tx: Db, gift: TitleGiftRow, title: string) => Promise<void>,
): Promise<void> {
  const { title, soldAs } = await oneTitleGivenBy(shop, giver, id)
  await shop.db.transaction(async (tx) => {
    const gift = await lockTitleGift(tx, id)
    if (!gift) throw notFound()
    refuseOver(gift)
    await work(tx, gift, soldAs ?? title)
  })
}

export async function recordFailedGifts(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failed = eachRow(
    (page) => selectNewlyFailedTitleGifts(shop.db, page),
    (id) => id,
  )
  await forEachDue(failed, (id) => shop.db.transaction((tx) => recordFailed(tx, shop, id)), {
    log: shop.log,
    signal,
    problem: 'a failed gift was not recorded',
    about: (id) => ({ gift: id }),
  })
}

async function recordFailed(tx: Db, shop: Pick<Shop, 'config' | 'clock'>, id: string): Promise<void> {
  const gift = await lockTitleGift(tx, id)
  if (!gift || gift.claimedAt || gift.takenBackAt || gift.revokedAt || gift.failedAt) return
  const delivery = (await deliveryStatesOf(tx, [titleGiftMailKey(gift)])).get(titleGiftMailKey(gift))
  if (delivery !== 'failed') return
  await updateTitleGift(tx, id, { failedAt: shop.clock.now() })
  const giver = gift.giverId === null ? undefined : await selectClaimer(tx, gift.giverId)
  if (!giver) return
  await queueMail(tx, {
    to: giver.email,
    kind: 'gift_book_failed',
    key: `gift_book_failed:${id}:${gift.edition}`,
    data: {
      title: (await selectTitleGift(tx, id))!.title,
      email: gift.email,
      giverToken: giverToken(shop.config, { kind: 'book', id }),
    },
  })
}
