import { MESSAGES } from '#contract/messages.ts'
import type { GivenState } from '#contract/membership-gifts.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { notFound, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
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
import {
  type GiftRow,
  type GivenRow,
  lockGift,
  selectClaimer,
  selectGift,
  selectGivenBy,
  selectNewlyFailed,
  selectOneGivenBy,
  selectOwnsByEmail,
  updateGift,
} from './title-gift-queries.ts'
import { titleGiftMailKey, mailTitleGiftWithNewLink } from './send-title-gift.ts'

export interface GivenTitleShown extends GivenRow {
  readonly state: GivenState
  readonly isChangeable: boolean
  readonly takeBackUntil: Date | null
}

type GiftShop = Pick<Shop, 'db' | 'config' | 'now' | 'clock'>

export const givenTitlesBy = async (shop: GiftShop, userId: string): Promise<GivenTitleShown[]> =>
  shown(shop, await selectGivenBy(shop.db, userId))

/** @throws 404 for another giver's gift */
export async function oneTitleGivenBy(shop: GiftShop, giver: Giver, id: string): Promise<GivenTitleShown> {
  const given = await selectOneGivenBy(shop.db, giver === 'link' ? null : giver.userId, id)
  if (!given) throw notFound()
  return (await shown(shop, [given]))[0]!
}

async function shown(
  { db, config, clock }: GiftShop,
  given: readonly GivenRow[],
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
    const state = stateOfGiven(gift, { isSent: true, delivery, isDelivered })
    const { isChangeable, takeBackUntil } = waysOf(state, gift, clock.now())
    // A gift without an order line was free.
    const isPaid = gift.orderLineId !== null
    return { ...each, state, isChangeable, takeBackUntil: isPaid ? takeBackUntil : null }
  })
}

export interface TitleCorrection {
  readonly giftEmail?: string
  readonly giftMessage?: string | null
}

/**
 * Corrects an unclaimed gift. The recipient gets a new link and code; the previous ones stop working.
 * @throws 422 if the gift can no longer be changed or the new recipient owns the title; 429 after five emails a day
 */
export async function correctGivenTitle(
  shop: GiftShop,
  giver: Giver,
  id: string,
  { giftEmail, giftMessage }: TitleCorrection,
): Promise<GivenTitleShown> {
  const { gift: before } = await oneTitleGivenBy(shop, giver, id)
  const email = giftEmail ?? before.email
  const message = giftMessage === undefined ? before.message : blankAsNull(giftMessage)
  if (email !== before.email || message !== before.message) {
    refuseOver(before)
    // Outside the transaction, so that refusals count too: they reveal whether an account owns the book.
    await countSentAgain(shop.db, id, shop.now())
    const isSamePerson = email.toLowerCase() === before.email.toLowerCase()
    if (!isSamePerson && (await selectOwnsByEmail(shop.db, before.bookId, email)))
      throw unprocessable('giftEmail', MESSAGES.alreadyHaveBook)
    await change(shop, giver, id, async (tx, _gift, title) =>
      mailTitleGiftWithNewLink(tx, shop, await updateGift(tx, id, { email, message }), title),
    )
  }
  return oneTitleGivenBy(shop, giver, id)
}

export async function sendGivenTitleAgain(
  shop: GiftShop,
  giver: Giver,
  id: string,
): Promise<GivenTitleShown> {
  await change(shop, giver, id, async (tx, gift, title) => {
    await countSentAgain(tx, id, shop.now())
    await mailTitleGiftWithNewLink(tx, shop, gift, title)
  })
  return oneTitleGivenBy(shop, giver, id)
}

/**
 * Takes a gift back, so that it can no longer be claimed. The caller has locked the order and sends the refund.
 *
 * @throws 422 if the gift was claimed or is older than 14 days
 * @returns false if it was already taken back
 */
export async function startTakingBackTitle(tx: Db, id: string, now: BusinessTime): Promise<boolean> {
  const gift = await lockGift(tx, id)
  if (!gift) throw notFound()
  if (gift.takenBackAt) return false
  refuseTakingBack(gift, now)
  await updateGift(tx, id, { takenBackAt: now })
  return true
}

/** Runs `work` with this giver's unclaimed gift locked. */
async function change(
  shop: GiftShop,
  giver: Giver,
  id: string,
  work: (tx: Db, gift: GiftRow, title: string) => Promise<void>,
): Promise<void> {
  const { title, soldAs } = await oneTitleGivenBy(shop, giver, id)
  await shop.db.transaction(async (tx) => {
    const gift = await lockGift(tx, id)
    if (!gift) throw notFound()
    refuseOver(gift)
    await work(tx, gift, soldAs ?? title)
  })
}

/** For the gift job: emails the givers of undelivered gifts, so that they can correct the address. */
export async function noteFailedGifts(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failed = eachRow(
    (page) => selectNewlyFailed(shop.db, page),
    (id) => id,
  )
  await forEachDue(failed, (id) => shop.db.transaction((tx) => noteFailed(tx, shop, id)), {
    log: shop.log,
    signal,
    problem: 'a failed gift was not recorded',
    about: (id) => ({ gift: id }),
  })
}

async function noteFailed(tx: Db, shop: Pick<Shop, 'config' | 'clock'>, id: string): Promise<void> {
  const gift = await lockGift(tx, id)
  if (!gift || gift.claimedAt || gift.takenBackAt || gift.revokedAt || gift.failedAt) return
  const delivery = (await deliveryStatesOf(tx, [titleGiftMailKey(gift)])).get(titleGiftMailKey(gift))
  if (delivery !== 'failed') return
  await updateGift(tx, id, { failedAt: shop.clock.now() })
  const giver = gift.giverId === null ? undefined : await selectClaimer(tx, gift.giverId)
  if (!giver) return
  await queueMail(tx, {
    to: giver.email,
    kind: 'gift_book_failed',
    key: `gift_book_failed:${id}:${gift.edition}`,
    data: {
      title: (await selectGift(tx, id))!.title,
      email: gift.email,
      giverToken: giverToken(shop.config, { kind: 'book', id }),
    },
  })
}
