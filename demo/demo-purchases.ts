import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import type { PlanId } from '#contract/plans.ts'
import { users } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { addItem, basketForCheckout } from '#server/features/bag/service.ts'
import { cartIdOf } from '#server/features/bag/guest-bag.ts'
import { giftSource } from '#server/features/checkout/gift-checkout.ts'
import {
  claimWaitingMembership,
  waitingMembershipGifts,
} from '#server/features/gifts/claim-membership-gift.ts'
import { claimWaitingTitle, giveBook, waitingTitleGifts } from '#server/features/gifts/title-gifts.ts'
import { type BasketSource, payOrder, createOrder } from '#server/features/orders/service.ts'
import type { Shop } from '#server/shop.ts'
import type { ShopDaysAgo } from './shop-days-ago.ts'

type Kind = 'audio_books' | 'e_books'
interface TitleOf {
  readonly kind: Kind
  readonly slug: string
}
interface DemoItem extends TitleOf {
  readonly giftEmail?: string
  readonly giftMessage?: string
  readonly claimedDaysAgo?: number
}
interface DemoOrder {
  readonly buyer: string
  readonly daysAgo: number
  readonly paidBy: 'card' | 'paypal' | 'free'
  readonly code?: string
  readonly items: readonly DemoItem[]
}
interface DemoGivenMembership {
  readonly giver: string
  readonly to: string
  readonly series?: { readonly from: number; readonly to: number }
  readonly plan: PlanId
  readonly daysAgo: number
  readonly firstName: string
  readonly message: string
  readonly claimedDaysAgo?: number
  /** Delivered on the next 25 December. */
  readonly christmas?: boolean
}
interface DemoPurchases {
  readonly memberships?: readonly DemoGivenMembership[]
  readonly orders: readonly DemoOrder[]
  readonly gifts: readonly (TitleOf & {
    readonly giver: string
    readonly to: string
    readonly series: { readonly from: number; readonly to: number }
    readonly daysAgo: number
    readonly message: string
  })[]
  readonly bags: readonly { readonly of: string; readonly items: readonly TitleOf[] }[]
}

const FORMAT = { audio_books: 'audio_book', e_books: 'e_book' } as const
/** Also of accounts that live abroad: they filled their bags here. */
const HOME = ['GB'] as const
const MINUTES_PER_DAY = 24 * 60

export async function loadPurchases(daysAgo: ShopDaysAgo, content: string): Promise<void> {
  const file = join(content, 'purchases.json')
  if (!existsSync(file)) return
  const demo: DemoPurchases = JSON.parse(readFileSync(file, 'utf8'))

  for (const order of demo.orders.toSorted((one, two) => two.daysAgo - one.daysAgo)) {
    await buy(daysAgo(order.daysAgo), order)
    for (const { giftEmail, claimedDaysAgo } of order.items)
      if (giftEmail && claimedDaysAgo !== undefined) await claimTitles(daysAgo(claimedDaysAgo), giftEmail)
  }
  for (const { giver, to, series, kind, slug, message, daysAgo: days } of demo.gifts)
    for (let number = series.from; number <= series.to; number++) {
      const shop = daysAgo(days)
      await giveBook(shop.db, shop, {
        orderLineId: null,
        book: { ...(await bookOf(shop, { kind, slug })), format: FORMAT[kind] },
        giver: await userOf(shop, giver),
        email: numbered(to, number),
        message,
      })
    }
  for (const given of demo.memberships ?? [])
    for (let number = given.series?.from ?? 0; number <= (given.series?.to ?? 0); number++)
      await giveMembership(daysAgo, given, number)

  for (const { of, items } of demo.bags) {
    const { id: userId } = await userOf(daysAgo(0), of)
    // A minute after each other, so that they have an order.
    for (const [index, item] of items.entries())
      await putInBag(daysAgo((items.length - index) / MINUTES_PER_DAY), userId, item)
  }
}

async function buy(shop: Shop, { buyer, paidBy, code, items }: DemoOrder): Promise<void> {
  const { id: userId } = await userOf(shop, buyer)
  for (const item of items) await putInBag(shop, userId, item)
  const source = await basketForCheckout(shop, {
    cartId: await cartIdOf(shop.db, userId),
    buyer: { userId, countries: HOME },
    code: code ?? null,
  })
  await order(shop, source, paidBy)
}

/** The payments get their past at the provider later (`demo-members.ts`), because a payment cannot be made in the past. */
async function order(shop: Shop, source: BasketSource, type: DemoOrder['paidBy']): Promise<void> {
  const basket = await source.open(shop.db)
  if (basket.refusal) throw basket.refusal
  const { buyer } = source
  const made = await createOrder(shop.db, { basket, source, buyer, waiver: true, now: shop.clock.now() })
  const { refused } = await payOrder(shop.db, shop, made, { type, last4: type === 'card' ? '4242' : null })
  if (refused.length > 0) throw new Error(`purchases.json: a line was refused (${refused.join()}).`)
}

const putInBag = (shop: Shop, userId: string, { kind, slug, giftEmail, giftMessage }: DemoItem) =>
  addItem(
    shop,
    { userId, countries: HOME },
    {
      cartId: null,
      format: FORMAT[kind],
      slug,
      ...(giftEmail ? { gift: true, giftEmail, giftMessage: giftMessage ?? null } : {}),
    },
  )

async function claimTitles(shop: Shop, email: string): Promise<void> {
  const { id: userId } = await userOf(shop, email)
  for (const { gift } of await waitingTitleGifts(shop.db, userId))
    await claimWaitingTitle(shop, userId, gift.id)
}

async function giveMembership(
  daysAgo: ShopDaysAgo,
  {
    giver,
    to,
    plan,
    daysAgo: days,
    firstName,
    message,
    claimedDaysAgo,
    christmas = false,
  }: DemoGivenMembership,
  number: number,
): Promise<void> {
  const shop = daysAgo(days)
  const email = numbered(to, number)
  const source = giftSource(
    shop,
    {
      plan,
      giftEmail: email,
      giftRecipientFirstName: firstName,
      giftMessage: message,
      giftDeliveryDate: christmas ? nextChristmas(daysAgo(0).now()) : null,
      giftTimeZone: 'Europe/London',
      christmas,
    },
    { userId: (await userOf(shop, numbered(giver, number))).id, country: HOME[0] },
  )
  await order(shop, source, 'card')
  if (claimedDaysAgo === undefined) return
  const claimed = daysAgo(claimedDaysAgo)
  const { id: userId } = await userOf(claimed, email)
  for (const { gift } of await waitingMembershipGifts(claimed, userId))
    await claimWaitingMembership(claimed, userId, gift.id)
}

function nextChristmas(now: Date): string {
  const year = now.getUTCFullYear()
  return `${now < new Date(Date.UTC(year, 11, 24)) ? year : year + 1}-12-25`
}

const numbered = (text: string, number: number): string =>
  text.replaceAll('{nn}', String(number).padStart(2, '0'))

async function bookOf({ db }: Shop, { kind, slug }: TitleOf): Promise<{ id: number; title: string }> {
  const [book] = await db
    .select({ id: books.id, title: books.title })
    .from(books)
    .where(and(eq(books.format, FORMAT[kind]), eq(books.slug, slug)))
  if (!book) throw new Error(`purchases.json names ${kind}/${slug}, which is not a demo title.`)
  return book
}

async function userOf({ db }: Shop, email: string): Promise<{ id: string; name: string }> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`purchases.json names ${email}, which is not a demo account.`)
  return { id: user.id, name: `${user.firstName} ${user.lastName}` }
}
