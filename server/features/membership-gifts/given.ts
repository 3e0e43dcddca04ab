import type { GivenState } from '#contract/membership-gifts.ts'
import type { Db } from '../../db/open.ts'
import { countOrRefuse, type Limit } from '../../guards/rate-limit.ts'
import { type DeliveryState, deliveryStatesOf } from '../../outside/mail/rows.ts'
import { notFound, refused, unprocessable } from '../../wire/refusals.ts'
import type { Shop } from '../../shop.ts'
import { claimerOf } from '../gifts/rules.ts'
import { daysAfter } from '../membership/rules.ts'
import { askForRefund } from '../refunds/rules.ts'
import { deliveryOf, refuseDay, zoneOf } from './day.ts'
import { TAKE_BACK_DAYS } from './give.ts'
import {
  type Given,
  lockGift,
  type MembershipGiftRow,
  selectGivenBy,
  selectOneGivenBy,
  updateGift,
} from './rows.ts'
import { revokeUnpaid } from './money-back.ts'
import { mailKeyOf, sendGift } from './send.ts'

export interface GivenShown extends Given {
  readonly state: GivenState
  readonly isChangeable: boolean
  /** Until when it can be taken back; null where it cannot. */
  readonly takeBackUntil: Date | null
}

/** Each is a mail to somebody who did not ask for it. */
const SENT_AGAIN: Limit = { name: 'given membership sent again', most: 5, windowSeconds: 86_400 }

/** The gifts of an account, also from its confirmed address before there was an account. */
export async function givenBy(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
): Promise<GivenShown[]> {
  const given = await selectGivenBy(shop.db, userId, await addressesOf(shop.db, userId))
  return shown(shop, given)
}

/** Throws 404 for another's. */
export async function oneGivenBy(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
): Promise<GivenShown> {
  const given = await selectOneGivenBy(shop.db, userId, await addressesOf(shop.db, userId), id)
  if (!given) throw notFound()
  return (await shown(shop, [given]))[0]!
}

async function addressesOf(db: Db, userId: string): Promise<readonly string[]> {
  const account = await claimerOf(db, userId)
  return account?.confirmedAt ? account.addresses : []
}

async function shown(
  { db, config, clock }: Pick<Shop, 'db' | 'config' | 'clock'>,
  given: readonly Given[],
): Promise<GivenShown[]> {
  const deliveries = await deliveryStatesOf(
    db,
    given.map(({ gift }) => mailKeyOf(gift)),
  )
  // The demo stores its mails: what lies there has arrived.
  const storesMail = config.demo && !config.smtpUrl
  const now = clock.now()
  return given.map((each) => {
    const state = stateOf(each.gift, deliveries.get(mailKeyOf(each.gift)), storesMail)
    const isChangeable =
      state === 'scheduled' || state === 'sending' || state === 'delivered' || state === 'failed'
    const until = daysAfter(each.gift.givenAt, TAKE_BACK_DAYS)
    return { ...each, state, isChangeable, takeBackUntil: isChangeable && now < until ? until : null }
  })
}

function stateOf(
  gift: MembershipGiftRow,
  delivery: DeliveryState | undefined,
  storesMail: boolean,
): GivenState {
  if (gift.takenBackAt || gift.revokedAt || gift.suspendedAt) return 'refunded'
  if (gift.claimedAt) return 'claimed'
  if (gift.lapsedAt) return 'lapsed'
  if (!gift.sentAt) return 'scheduled'
  if (gift.failedAt || delivery === 'failed') return 'failed'
  return gift.deliveredAt || delivery === 'sent' || storesMail ? 'delivered' : 'sending'
}

export interface Correction {
  readonly giftEmail?: string
  readonly giftRecipientFirstName?: string | null
  readonly giftMessage?: string | null
  readonly giftDeliveryDate?: string | null
  readonly giftTimeZone?: string
}

/** Until it is claimed. A gift that was on its way already goes again, to whom it is for now. */
export async function correct(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
  correction: Correction,
): Promise<GivenShown> {
  await change(shop, userId, id, async (tx, gift) => {
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
    const corrected = await updateGift(tx, id, {
      email: giftEmail ?? gift.email,
      firstName: giftRecipientFirstName === undefined ? gift.firstName : blankAsNull(giftRecipientFirstName),
      message: giftMessage === undefined ? gift.message : blankAsNull(giftMessage),
      ...(asksForDay ? { zone, day, deliverAt: deliveryOf(day, zone, now) } : {}),
    })
    if (!differs(gift, corrected)) return
    if (gift.sentAt || corrected.deliverAt <= now) {
      await countOrRefuse(tx, SENT_AGAIN, id, shop.now())
      // The link before it was for somebody else, perhaps.
      await sendGift(tx, shop, corrected)
    }
  })
  return oneGivenBy(shop, userId, id)
}

const blankAsNull = (text: string | null): string | null => (text?.trim() ? text.trim() : null)

const differs = (before: MembershipGiftRow, after: MembershipGiftRow): boolean =>
  (['email', 'firstName', 'message', 'day', 'zone'] as const).some((field) => before[field] !== after[field])

export async function sendAgain(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
): Promise<GivenShown> {
  await change(shop, userId, id, async (tx, gift) => {
    if (!gift.sentAt) throw refused('Its day hasn’t come yet.')
    await countOrRefuse(tx, SENT_AGAIN, id, shop.now())
    await sendGift(tx, shop, gift)
  })
  return oneGivenBy(shop, userId, id)
}

/**
 * From here on nobody can claim it, and all of its money is owed. Safe to repeat. Throws 422 for one that is claimed, or older
 * than 14 days.
 *
 * @returns the refund, which the caller sends; null for a gift that cost nothing
 */
export async function startTakingBack(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
): Promise<string | null> {
  await oneGivenBy(shop, userId, id)
  return shop.db.transaction(async (tx) => {
    const gift = await lockGift(tx, id)
    if (!gift) throw notFound()
    const now = shop.clock.now()
    if (!gift.takenBackAt) {
      refuseOver(gift)
      if (now >= daysAfter(gift.givenAt, TAKE_BACK_DAYS))
        throw refused('It’s too late to take this gift back.')
      await updateGift(tx, id, { takenBackAt: now })
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

/** With an unclaimed gift of the caller's locked. */
async function change(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
  work: (tx: Db, gift: MembershipGiftRow) => Promise<void>,
): Promise<void> {
  await oneGivenBy(shop, userId, id)
  await shop.db.transaction(async (tx) => {
    const gift = await lockGift(tx, id)
    if (!gift) throw notFound()
    refuseOver(gift)
    await work(tx, gift)
  })
}

function refuseOver({ claimedAt, takenBackAt, revokedAt, suspendedAt, lapsedAt }: MembershipGiftRow): void {
  if (claimedAt) throw refused('This gift has already been opened.')
  if (takenBackAt || revokedAt || suspendedAt) throw refused('This gift was taken back.')
  if (lapsedAt) throw refused('This gift has lapsed.')
}
