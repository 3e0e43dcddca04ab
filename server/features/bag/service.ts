import { BAG_SIZE } from '#contract/limits.ts'
import { MESSAGES, type DiscountRefusal } from '#contract/messages.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { addressKey } from '../../rate-limiting/rate-limit.ts'
import { notFound, unprocessable, outdated, type Refusal, refusedCode } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { refuseDay, zoneOf } from '../products/delivery-day.ts'
import { resolveCode, lookUpCode } from '../discounts/service.ts'
import type { DiscountRow } from '../discounts/queries.ts'
import { type Entitlement, entitlementOf } from '../membership/service.ts'
import {
  memberPrice,
  calculatePrices,
  type CalculatedPrices,
  ratesAt,
  vatPercentOf,
} from '../prices/pricing.ts'
import type { VatRates } from '../../settings/owners-terms.ts'
import type { Format, SoldOf } from '../products/product.ts'
import { findCart, lockBag, type Holder, joinCarts, lockOwnBag } from './guest-bag.ts'
import {
  deleteItems,
  insertItem,
  type ItemRow,
  selectCart,
  selectCartIdOfItem,
  selectItems,
  selectSale,
  type SaleRow,
  updateCart,
  updateItem,
} from './queries.ts'
import { type Countries, isBlockedIn, refuseElsewhere, unsoldCountry } from '../../auth/country.ts'
import type { Basket, BasketLine, BasketSource } from '../orders/service.ts'

interface ShopOrTransaction {
  readonly db: Db
  readonly clock: Shop['clock']
  readonly config: Shop['config']
}

/** The holder of a bag with their countries: all of them decide what can be bought, the first one decides the VAT. */
export interface Buyer extends Holder {
  readonly countries: Countries
}

export interface BagLine {
  readonly item: ItemRow
  readonly sold: SoldOf<'title'>
  readonly originalMinor: number
  readonly vatPercent: number
  readonly gift: boolean
  readonly geoBlocked: boolean
}

export interface Bag {
  readonly id: string
  readonly items: readonly BagLine[]
  readonly prices: CalculatedPrices<BagLine>
  readonly coupon: { readonly row: DiscountRow } | { readonly refused: DiscountRefusal } | null
  /** What a member would pay; null for a member, with a code, and if it is no less. */
  readonly pricesForMembers: CalculatedPrices<BagLine> | null
}

/** `code` replaces the bag's stored code. Titles that cannot be bought are in the bag, but in no sum. */
export async function openBag(
  { db, clock, config }: ShopOrTransaction,
  { cartId, buyer, code }: { cartId: string; buyer: Buyer; code?: string | null },
): Promise<Bag> {
  const { userId } = buyer
  // Run the queries one after the other: `db` may be a transaction, which has a single connection.
  const cart = await selectCart(db, cartId)
  const rows = await selectItems(db, cartId, userId)
  const { tier } = await entitlementOf(db, userId, clock.now())
  const rates = ratesAt(config, buyer.countries[0], clock.now())
  const linesFor = (as: Entitlement['tier']) =>
    rows.map((item) => bagLine(item, { config, countries: buyer.countries, tier: as, rates }))
  const items = linesFor(tier)
  const lines = items.filter(isAvailable)
  const typed = code === undefined ? (cart?.couponCode ?? null) : code
  const resolved =
    typed === null ? null : await resolveCode(db, typed, { userId, lines, source: cartId, now: clock.now() })
  const prices = calculatePrices(lines, resolved && 'row' in resolved ? resolved.reduction : null, rates)
  const mayJoin = tier === null && resolved === null && config.details.has('membership')
  const asMember = mayJoin && calculatePrices(linesFor('reader').filter(isAvailable), null, rates)
  const pricesForMembers = asMember && asMember.totalMinor < prices.totalMinor ? asMember : null
  return { id: cartId, items, prices, coupon: resolved, pricesForMembers }
}

export const isAvailable = ({ item, geoBlocked }: BagLine): boolean => item.sellable === true && !geoBlocked

interface ForBuyer {
  readonly config: Shop['config']
  readonly countries: Countries
  readonly tier: Entitlement['tier']
  readonly rates: VatRates
}

function bagLine(item: ItemRow, { config, countries, tier, rates }: ForBuyer): BagLine {
  const sold = { kind: 'title', bookId: item.book_id, format: item.format } as const
  return {
    item,
    sold,
    originalMinor: priceFor(config, item, tier),
    vatPercent: vatPercentOf(sold, rates),
    // A title the buyer owns can only be given away (GIFT-11).
    gift: item.gift || item.owned,
    geoBlocked:
      isBlockedIn(item.blocked_countries, countries) || unsoldCountry(config, countries) !== undefined,
  }
}

export async function viewBag(shop: ShopOrTransaction, id: string, buyer: Buyer): Promise<Bag> {
  const cart = await findCart(shop.db, id, buyer)
  return openBag(shop, { cartId: cart.id, buyer })
}

interface GiftFields {
  readonly gift?: boolean | undefined
  readonly giftEmail?: string | null | undefined
  readonly giftMessage?: string | null | undefined
  readonly giftDeliveryDate?: string | null | undefined
  readonly giftTimeZone?: string | null | undefined
}

interface ItemToAdd extends GiftFields {
  readonly cartId: string | null
  readonly format: 'audio_book' | 'e_book'
  readonly slug: string
}

export async function addItem(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  buyer: Buyer,
  { cartId, format, slug, ...gift }: ItemToAdd,
): Promise<{ itemId: string; cartId: string; created: boolean }> {
  const { db, now, clock, config } = shop
  const { tier } = await entitlementOf(db, buyer.userId, clock.now())
  return db.transaction(async (tx) => {
    const cart = await lockBag(tx, cartId, buyer, now())
    const book = await selectSale(tx, format, slug, buyer.userId)
    if (!book) throw notFound()
    refuseUnsold(book, buyer.countries)
    if (priceFor(config, book, tier) === 0)
      throw unprocessable('', 'This title is free, so it goes straight to your library.')
    refuseElsewhere(config, buyer.countries)
    const items = await selectItems(tx, cart.id, buyer.userId)
    const known = items.find(({ book_id: bookId }) => bookId === book.id)
    if (known) return { itemId: known.id, cartId: cart.id, created: false }
    if (items.length >= BAG_SIZE) throw unprocessable('', `A bag holds up to ${BAG_SIZE} titles.`)
    refuseGiftDay(gift, shop)
    const itemId = await insertItem(tx, {
      cartId: cart.id,
      bookId: book.id,
      addedAt: now(),
      ...giftFields({ ...gift, gift: gift.gift === true || book.owned }),
    })
    await updateCart(tx, cart.id, { updatedAt: now() })
    return { itemId: itemId!, cartId: cart.id, created: true }
  })
}

type Priced = Pick<SaleRow, 'price_minor' | 'member_price_minor'>

export const priceFor = (
  { details }: Pick<Shop['config'], 'details'>,
  book: Priced,
  tier: Entitlement['tier'],
): number =>
  tier === null
    ? book.price_minor
    : memberPrice(book.price_minor, book.member_price_minor, details.terms.memberDiscount)

export async function findSale(db: Db, format: Format, slugOrId: string, userId: string): Promise<SaleRow> {
  const book = await selectSale(db, format, slugOrId, userId)
  if (!book) throw notFound()
  return book
}

export function refuseUnsold(book: SaleRow, countries: Countries): void {
  if (!book.sellable) throw unprocessable('', MESSAGES.notAvailable)
  if (isBlockedIn(book.blocked_countries, countries)) throw unprocessable('', MESSAGES.notAvailableInRegion)
}

/** With `whole` (PUT) it clears the fields that are not given. */
export async function changeItem(
  { db, now, clock, config }: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  buyer: Buyer,
  itemId: string,
  { whole, ...change }: GiftFields & { whole: boolean },
): Promise<{ cartId: string }> {
  return db.transaction(async (tx) => {
    const { cartId, item } = await itemInBag(tx, buyer, itemId, now())
    const before = whole
      ? {}
      : {
          gift: item.gift,
          giftEmail: item.gift_email,
          giftMessage: item.gift_message,
          giftDeliveryDate: item.gift_day,
          giftTimeZone: item.gift_zone,
        }
    refuseGiftDay(change, { clock, config })
    const after = { ...before, ...trimmedGift(change) }
    await updateItem(tx, itemId, giftFields({ ...after, gift: after.gift === true || item.owned }))
    await updateCart(tx, cartId, { updatedAt: now() })
    return { cartId }
  })
}

export async function removeItem(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  buyer: Buyer,
  itemId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { cartId } = await itemInBag(tx, buyer, itemId, now())
    await deleteItems(tx, [itemId])
    await updateCart(tx, cartId, { updatedAt: now() })
  })
}

/** Removes the items that cannot be bought (API-69). */
export async function removeBlocked(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  id: string,
  buyer: Buyer,
): Promise<Bag> {
  const { db, now, clock, config } = shop
  return db.transaction(async (tx) => {
    const { id: cartId } = await lockBag(tx, id, buyer, now())
    const bag = await openBag({ db: tx, clock, config }, { cartId, buyer })
    const blocked = bag.items.filter((line) => !isAvailable(line)).map(({ item }) => item.id)
    if ((await deleteItems(tx, blocked)) === 0) return bag
    await updateCart(tx, cartId, { updatedAt: now() })
    return openBag({ db: tx, clock, config }, { cartId, buyer })
  })
}

/** @throws 422 if the code cannot be used, 429 after too many unknown codes */
export async function applyCode(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  buyer: Buyer & { address: string },
  id: string,
  code: string | null,
): Promise<Bag> {
  const cart = await findCart(shop.db, id, buyer)
  const open = () => openBag(shop, { cartId: cart.id, buyer, code })
  const who = buyer.userId ?? addressKey(buyer.address)
  const bag =
    code === null ? await open() : await lookUpCode(shop.db, { who, now: shop.now() }, open, hasUnknownCode)
  if (bag.coupon && 'refused' in bag.coupon) throw refusedCode(bag.coupon.refused)
  const kept = bag.coupon?.row.code ?? null
  await shop.db.transaction(async (tx) => {
    const { id: cartId } = await lockBag(tx, id, buyer, shop.now())
    await updateCart(tx, cartId, { couponCode: kept, updatedAt: shop.now() })
  })
  return bag
}

export const hasUnknownCode = ({ coupon }: Bag): boolean =>
  coupon !== null && 'refused' in coupon && coupon.refused === 'discount_not_valid'

/** Only a gift has an email address (`giftFields`). */
export const hasGiftByEmail = async (db: Db, cartId: string, userId: string): Promise<boolean> =>
  (await selectItems(db, cartId, userId)).some(({ gift_email: email }) => email !== null)

/** Items that were added since stay. */
export async function emptyOfPaid(db: Db, cartId: string, itemIds: readonly string[]): Promise<void> {
  await deleteItems(db, itemIds)
  await updateCart(db, cartId, { couponCode: null })
}

async function itemInBag(db: Db, buyer: Buyer, itemId: string, now: RealTime) {
  const cartId = await selectCartIdOfItem(db, itemId)
  if (cartId === undefined) throw notFound()
  const cart = await lockBag(db, cartId, buyer, now)
  const item = (await selectItems(db, cart.id, buyer.userId)).find(({ id }) => id === itemId)
  if (!item) throw notFound()
  return { cartId: cart.id, item }
}

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]{2,}$/

/** The fields as they are stored: only a gift has an email, a message and a day (GIFT-10). */
function giftFields({
  gift,
  giftEmail,
  giftMessage,
  giftDeliveryDate,
  giftTimeZone,
}: GiftFields & { readonly gift: boolean }) {
  const email = giftEmail?.trim() || null
  if (gift && email !== null && !EMAIL.test(email)) throw unprocessable('giftEmail', MESSAGES.invalidEmail)
  if (!gift) return { gift, giftEmail: null, giftMessage: null, giftDay: null, giftZone: null }
  const giftDay = giftDeliveryDate ?? null
  return {
    gift,
    giftEmail: email,
    giftMessage: giftMessage?.trim() || null,
    giftDay,
    giftZone: giftDay === null ? null : (giftTimeZone ?? null),
  }
}

/** Only the day of this request: one that passes while the title is in the bag means at once. */
function refuseGiftDay(
  { giftDeliveryDate, giftTimeZone }: GiftFields,
  { clock, config }: Pick<Shop, 'clock' | 'config'>,
): void {
  const zone = zoneOf(giftTimeZone, config)
  if (giftDeliveryDate) refuseDay(giftDeliveryDate, zone, clock.now())
}

const trimmedGift = (fields: GiftFields): GiftFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

interface BasketRequest {
  readonly cartId: string
  readonly buyer: Buyer & { readonly userId: string }
  readonly code: string | null
}

export async function basketForCheckout(
  { db, now, clock, config }: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { cartId: given, buyer, code }: BasketRequest,
): Promise<BasketSource> {
  const { userId, countries } = buyer
  refuseElsewhere(config, countries)
  const { cartId } = await joinCarts(db, given, { userId, now: now() })
  return {
    kind: 'cart',
    id: cartId,
    buyer: { userId, country: countries[0] },
    async hold(tx) {
      await lockOwnBag(tx, userId, now())
    },
    open: async (handle) =>
      bagAsBasket(await openBag({ db: handle, clock, config }, { cartId, buyer, code })),
    sendsGifts: (handle) => hasGiftByEmail(handle, cartId, userId),
  }
}

function bagAsBasket(bag: Bag): Basket {
  const { lines, totalMinor, vatMinor, beforeMinor } = bag.prices
  const discount = bag.coupon && 'row' in bag.coupon ? bag.coupon.row : null
  return {
    lines: lines.map(basketLine),
    totalMinor,
    vatMinor,
    beforeMinor,
    code: discount && { code: discount.code, percent: discount.percent },
    refusal: bagRefusal(bag),
    hasUnknownCode: hasUnknownCode(bag),
  }
}

/** An empty bag is not refused here: it may have been paid a moment ago. */
function bagRefusal({ items, coupon }: Bag): Refusal | null {
  if (items.some((line) => !isAvailable(line)))
    return outdated('Something in your bag is no longer available.')
  return items.length > 0 && coupon && 'refused' in coupon ? refusedCode(coupon.refused) : null
}

const basketLine = ({
  item,
  gift,
  ...line
}: BagLine & Omit<BasketLine, 'gift' | 'title' | 'itemId'>): BasketLine => ({
  sold: line.sold,
  title: item.title,
  originalMinor: line.originalMinor,
  priceMinor: line.priceMinor,
  vatPercent: line.vatPercent,
  vatMinor: line.vatMinor,
  reduced: line.reduced,
  gift: gift
    ? { email: item.gift_email, message: item.gift_message, day: item.gift_day, zone: item.gift_zone }
    : null,
  itemId: item.id,
})
