import { christmasPlans, givenInWords, type PlanId } from '#contract/plans.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { addressKey, countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { refused, unprocessable, notFound, refusedCode, type Refusal } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { countsEverything } from '../account/limits.ts'
import { resolveCode, wasUsedBy } from '../discounts/service.ts'
import type { DiscountRow } from '../discounts/queries.ts'
import { refuseDay, zoneOf } from '../products/delivery-day.ts'
import { type Basket, type BasketSource, orderNumbered } from '../orders/service.ts'
import { type OrderSource, lockSource, selectNewestPaid, lockOrder, selectOrder } from '../orders/queries.ts'
import { ratesAt, calculatePrices } from '../prices/pricing.ts'
import { derivedId } from './derived-id.ts'
import { type CheckedOut, checkOut, REPEATED_WITHIN_MS } from './service.ts'
import type { Giver } from '../gifts/giver-actions.ts'
import {
  type GivenTitleShown,
  oneTitleGivenBy,
  startTakingBackTitle,
  type GivenShown,
  oneMembershipGivenBy,
  startTakingBack,
} from '../gifts/given-gifts.ts'
import { requestLineRefunds, planRefund, sendOrderRefundNow } from './refund-order-lines.ts'
import { lockAccount } from '../membership/queries.ts'

/** With its message and delivery day (ENT-14). */
export interface GiftRequest {
  readonly plan: PlanId
  readonly giftEmail?: string | null
  readonly giftRecipientFirstName?: string | null
  readonly giftMessage?: string | null
  readonly giftDeliveryDate?: string | null
  readonly giftTimeZone?: string | null
  readonly christmas?: boolean
  readonly giftKey?: string
  readonly couponCode?: string | null
  readonly startNow?: boolean
}

interface Giving {
  readonly buyer: BasketSource['buyer']
  readonly address: string
  readonly shownMinor: number | undefined
  readonly isProved: (db: Db) => Promise<boolean>
  readonly savesCard?: boolean
}

/** Visitors need no account, and each attempt creates a payment at the provider. */
const VISITORS: Limit = { name: 'gift of a visitor from', most: 20, windowSeconds: 3600 }

/** One payment, no subscription. Idempotent under its key, also after the payment. */
export async function give(
  shop: Shop,
  wanted: GiftRequest,
  { buyer, address, shownMinor, isProved, savesCard = false }: Giving,
): Promise<CheckedOut> {
  const source = giftSource(shop, wanted, buyer)
  const paid = await selectNewestPaid(shop.db, source, repeatedSinceOf(wanted, shop.clock.now()))
  if (paid) return { order: paid, clientSecret: null }
  if (buyer.userId === null && countsEverything(shop.config, address))
    await countOrRefuse(shop.db, VISITORS, addressKey(address), shop.now())
  const code = wanted.couponCode ?? null
  return checkOut(shop, source, {
    address,
    code,
    shownMinor,
    waiver: wanted.startNow === true,
    isProved,
    savesCard,
  })
}

export function giftSource(
  { config, clock }: Pick<Shop, 'config' | 'clock'>,
  wanted: GiftRequest,
  buyer: BasketSource['buyer'],
): BasketSource {
  const gift = readGift(wanted, { config, clock })
  const orderSource = { kind: 'membership_gift', id: sourceIdOf(wanted, gift, buyer) } as const
  const repeatedSince = repeatedSinceOf(wanted, clock.now())
  return {
    ...orderSource,
    buyer,
    hold: (tx) => lockSource(tx, orderSource),
    open: (handle) =>
      basketOf(handle, config, { wanted, gift, orderSource, buyer, repeatedSince, now: clock.now() }),
    sendsGifts: async () => false,
    consent: {
      propertyPath: 'startNow',
      words: 'Please agree that the gift begins as soon as it is opened.',
    },
  }
}

interface GiftRead {
  readonly email: string
  readonly message: string | null
  readonly firstName: string | null
  readonly day: string | null
  readonly zone: string
  readonly christmas: boolean
}

function readGift(wanted: GiftRequest, { config, clock }: Pick<Shop, 'config' | 'clock'>): GiftRead {
  const { plan, giftEmail, giftDeliveryDate: day = null, christmas = false } = wanted
  const firstName = wanted.giftRecipientFirstName?.trim() || null
  if (!giftEmail) throw unprocessable('giftEmail', MESSAGES.invalidEmail)
  const zone = zoneOf(wanted.giftTimeZone, config)
  if (!config.details.plans[plan].sold) throw unprocessable('plan', 'This plan isn’t sold any more.')
  if (christmas && !christmasPlans(config.details.plans).includes(plan))
    throw unprocessable('plan', 'This plan isn’t given at Christmas.')
  if (christmas && firstName === null)
    throw unprocessable('giftRecipientFirstName', 'Please enter the recipient’s first name.')
  if (christmas && day === null) throw unprocessable('giftDeliveryDate', 'Please choose a day.')
  if (day !== null) refuseDay(day, zone, clock.now())
  const message = wanted.giftMessage?.trim() || null
  return { email: giftEmail, message, firstName, day, zone, christmas }
}

/** From buyer and key: another buyer with the same key gets a separate order. Without a key, the request is it. */
function sourceIdOf(
  { giftKey, plan, couponCode = null }: GiftRequest,
  gift: GiftRead,
  { userId, visitor }: BasketSource['buyer'],
): string {
  const key = giftKey ?? [plan, gift, couponCode]
  const of = JSON.stringify([userId ?? visitor?.email.toLowerCase(), key])
  return derivedId(of)
}

/** Without a key, a repeated request counts as the same purchase for one hour; after that it may be a second gift. */
const repeatedSinceOf = ({ giftKey }: GiftRequest, now: BusinessTime): Date =>
  giftKey ? new Date(0) : new Date(now.getTime() - REPEATED_WITHIN_MS)

interface Opening {
  readonly wanted: GiftRequest
  readonly gift: GiftRead
  readonly orderSource: OrderSource
  readonly buyer: BasketSource['buyer']
  readonly repeatedSince: Date
  readonly now: BusinessTime
}

async function basketOf(
  db: Db,
  config: Shop['config'],
  { wanted: { plan: wantedPlan, couponCode }, gift, orderSource, buyer, repeatedSince, now }: Opening,
): Promise<Basket> {
  const { email, message, ...details } = gift
  if (await selectNewestPaid(db, orderSource, repeatedSince)) return EMPTY
  const plan = config.details.plans[wantedPlan]
  const { priceMinor } = plan
  const lines = [{ sold: { kind: 'membership' as const, plan: plan.id }, originalMinor: priceMinor }]
  const { userId } = buyer
  const resolved = couponCode
    ? await resolveCode(db, couponCode, { userId, lines, source: orderSource.id, now })
    : null
  const discount = resolved && 'row' in resolved ? resolved : null
  const {
    lines: [line],
    totalMinor,
    vatMinor,
    beforeMinor,
  } = calculatePrices(lines, discount?.reduction ?? null, ratesAt(config, buyer.country, now))
  const refusal =
    resolved && 'refused' in resolved
      ? refusedCode(resolved.refused)
      : discount && (await codeRefusal(db, discount.row, totalMinor, userId))
  return {
    lines: [
      {
        sold: { kind: 'membership_gift', plan: plan.id, ...details },
        title: givenInWords(plan, 'first'),
        originalMinor: priceMinor,
        priceMinor: line!.priceMinor,
        vatPercent: line!.vatPercent,
        vatMinor: line!.vatMinor,
        reduced: line!.reduced,
        gift: { email, message },
        itemId: null,
      },
    ],
    totalMinor,
    vatMinor,
    beforeMinor,
    code: discount && { code: discount.row.code, percent: discount.row.percent },
    refusal,
    hasUnknownCode: resolved !== null && 'refused' in resolved && resolved.refused === 'discount_not_valid',
  }
}

const EMPTY: Basket = {
  lines: [],
  totalMinor: 0,
  vatMinor: 0,
  beforeMinor: 0,
  code: null,
  refusal: null,
  hasUnknownCode: false,
}

/** Once for each account, so a visitor must log in to use it (docs/product.md, Memberships in detail). */
async function codeRefusal(
  db: Db,
  { code, oncePerAccount }: DiscountRow,
  totalMinor: number,
  userId: string | null,
): Promise<Refusal | null> {
  if (userId === null)
    return totalMinor === 0 || oncePerAccount
      ? refused('Please log in or make an account to use this code.')
      : null
  return totalMinor === 0 && (await wasUsedBy(db, code, userId)) ? refusedCode('discount_already_used') : null
}

/** For an unclaimed gift, within 14 days: it can't be claimed any more, and is refunded in full. */
export async function takeBack(
  shop: Shop,
  giver: Giver,
  id: string,
  at = shop.clock.now(),
): Promise<GivenShown> {
  const refundId = await startTakingBack(shop, giver, id, at)
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return oneMembershipGivenBy(shop, giver, id)
}

export async function takeBackTitle(
  shop: Shop,
  giver: Giver,
  id: string,
  at = shop.clock.now(),
): Promise<GivenTitleShown> {
  const { gift, orderId } = await oneTitleGivenBy(shop, giver, id)
  const { orderLineId } = gift
  if (orderId === null || orderLineId === null) throw notFound()
  const refundId = await shop.db.transaction(async (tx) => {
    const buyer = (await selectOrder(tx, orderId))?.userId
    if (buyer) await lockAccount(tx, buyer)
    const order = await lockOrder(tx, orderId)
    if (!order) throw notFound()
    if (!(await startTakingBackTitle(tx, id, at))) return null
    const { lines } = await orderNumbered(tx, order.number)
    const place = lines.findIndex((line) => line.id === orderLineId) + 1
    const plan = await planRefund(tx, order.number, [place])
    const why = { reason: 'gift-taken-back', key: `gift-taken-back:${id}` } as const
    return (await requestLineRefunds(tx, shop, plan, why)).refundId
  })
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return oneTitleGivenBy(shop, giver, id)
}
