import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { type PlanId, planInWords, PLANS } from '#contract/plans.ts'
import { BusinessClock } from '#server/clock.ts'
import type { Config } from '#server/settings/config.ts'
import type { Transaction } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { cartItems, carts } from '#server/db/schema/bag.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { discountUses } from '#server/db/schema/discounts.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import { findDiscount, reductionOf } from '#server/features/discounts/service.ts'
import { giveBook } from '#server/features/gifts/title-gifts.ts'
import { memberPrice, calculatePrices } from '#server/features/prices/pricing.ts'
import { type Sold, lineColumns } from '#server/features/products/product.ts'
import { type DemoGiven, loadGiven } from './demo-given.ts'
import { insertPaidOrder } from './demo-orders.ts'

type Kind = 'audio_books' | 'e_books'
interface TitleOf {
  readonly kind: Kind
  readonly slug: string
}
interface DemoItem extends TitleOf {
  /** A membership instead of a title. */
  readonly plan?: PlanId
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
interface DemoPurchases {
  readonly memberships?: readonly DemoGiven[]
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

/** The parts of the shop that the demo needs; gifts are encrypted with its keys. */
export interface DemoSettings {
  readonly config: Pick<Config, 'appKeys' | 'codeKey'>
  readonly now: Date
}

const DAY = 24 * 3_600_000
const FORMAT = { audio_books: 'audio_book', e_books: 'e_book' } as const

/** Inserts the orders, gifts and bags of `purchases.json`, if the folder has that file. */
export async function loadPurchases(
  tx: Transaction,
  content: string,
  { config, now }: DemoSettings,
): Promise<void> {
  const file = join(content, 'purchases.json')
  if (!existsSync(file)) return
  const demo: DemoPurchases = JSON.parse(readFileSync(file, 'utf8'))
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- gifts need the keys alone
  const shop = (days: number) => ({ config: config as Config, clock: new BusinessClock(() => daysAgo(days)) })

  for (const order of demo.orders.toSorted((one, two) => two.daysAgo - one.daysAgo))
    await insertOrder(tx, order, { at: daysAgo(order.daysAgo), daysAgo, shop: shop(order.daysAgo) })

  for (const { giver, to, series, kind, slug, message, daysAgo: days } of demo.gifts)
    for (let number = series.from; number <= series.to; number++) {
      const book = await bookOf(tx, { kind, slug })
      const { id, name } = await userOf(tx, giver)
      await giveBook(tx, shop(days), {
        orderLineId: null,
        book: { id: book.id, title: book.title, format: FORMAT[kind] },
        giver: { id, name },
        email: to.replaceAll('{nn}', String(number).padStart(2, '0')),
        message,
      })
    }

  await loadGiven(tx, demo.memberships ?? [], { config, now })

  for (const { of, items } of demo.bags) {
    const { id: userId } = await userOf(tx, of)
    await tx.insert(carts).values({ id: userId, userId, createdAt: now, updatedAt: now })
    for (const [place, item] of items.entries())
      await tx.insert(cartItems).values({
        cartId: userId,
        bookId: (await bookOf(tx, item)).id,
        addedAt: new Date(now.getTime() - (items.length - place) * 60_000),
      })
  }
}

interface When {
  readonly at: Date
  readonly daysAgo: (days: number) => Date
  readonly shop: Parameters<typeof giveBook>[1]
}

async function insertOrder(tx: Transaction, demo: DemoOrder, { at, daysAgo, shop }: When): Promise<void> {
  const buyer = await userOf(tx, demo.buyer)
  const [membership] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, buyer.id))
  const isMember = membership !== undefined
  const wished = []
  for (const item of demo.items) wished.push({ item, ...(await wishOf(tx, item, isMember)) })
  const discount = demo.code ? await findDiscount(tx, demo.code) : undefined
  const prices = calculatePrices(wished, discount ? reductionOf(discount) : null)
  const orderId = await insertPaidOrder(tx, {
    prices,
    discount,
    buyer: { ...buyer, email: demo.buyer },
    paidBy: demo.paidBy,
    at,
  })
  if (discount)
    await tx.insert(discountUses).values({ code: discount.code, userId: buyer.id, orderId, usedAt: at })

  for (const [position, { item, sold, bookId, ...line }] of prices.lines.entries()) {
    const isBook = sold.kind === 'title'
    const [row] = await tx
      .insert(orderLines)
      .values({
        orderId,
        position,
        kind: sold.kind,
        ...lineColumns(sold).write(sold),
        subscriptionId: isBook ? null : (membership?.id ?? null),
        title: line.title,
        originalMinor: line.originalMinor,
        priceMinor: line.priceMinor,
        vatPercent: line.vatPercent,
        vatMinor: line.vatMinor,
        couponCode: discount?.code ?? null,
        percentDiscount: discount?.percent ?? null,
        gift: item.giftEmail !== undefined,
        giftEmail: item.giftEmail ?? null,
        giftMessage: item.giftMessage ?? null,
        entryId: isBook && !item.giftEmail ? await entryOf(tx, buyer.id, bookId) : null,
      })
      .returning({ id: orderLines.id })
    if (!item.giftEmail) continue
    const giftId = await giveBook(tx, shop, {
      orderLineId: row!.id,
      book: { id: bookId, title: line.title, format: FORMAT[item.kind] },
      giver: buyer,
      email: item.giftEmail,
      message: item.giftMessage ?? null,
    })
    if (item.claimedDaysAgo === undefined) continue
    const claimer = await userOf(tx, item.giftEmail)
    const claimedAt = daysAgo(item.claimedDaysAgo)
    const [entry] = await tx
      .insert(libraryEntries)
      .values({ userId: claimer.id, bookId, source: 'gift', addedAt: claimedAt })
      .returning({ id: libraryEntries.id })
    await tx
      .update(gifts)
      .set({ claimedAt, claimedBy: claimer.id, entryId: entry!.id })
      .where(eq(gifts.id, giftId))
  }
}

async function wishOf(tx: Transaction, item: DemoItem, isMember: boolean) {
  if (item.plan !== undefined) {
    const { priceMinor } = PLANS[item.plan]
    const sold: Sold = { kind: 'membership', plan: item.plan }
    return { sold, bookId: 0, title: planInWords(PLANS[item.plan]), originalMinor: priceMinor }
  }
  const { id, title, priceMinor, memberPriceMinor } = await bookOf(tx, item)
  const sold: Sold = { kind: 'title', bookId: id, format: FORMAT[item.kind] }
  const originalMinor = isMember ? memberPrice(priceMinor, memberPriceMinor) : priceMinor
  return { sold, bookId: id, title, originalMinor }
}

async function bookOf(tx: Transaction, { kind, slug }: TitleOf) {
  const [book] = await tx
    .select({
      id: books.id,
      title: books.title,
      priceMinor: books.priceMinor,
      memberPriceMinor: books.memberPriceMinor,
    })
    .from(books)
    .where(and(eq(books.format, FORMAT[kind]), eq(books.slug, slug)))
  if (!book) throw new Error(`purchases.json names ${kind}/${slug}, which is not a demo title.`)
  return book
}

async function userOf(tx: Transaction, email: string): Promise<{ id: string; name: string }> {
  const [user] = await tx.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`purchases.json names ${email}, which is not a demo account.`)
  return { id: user.id, name: `${user.firstName} ${user.lastName}` }
}

/** Turns the account’s given title into one bought with this order. */
async function entryOf(tx: Transaction, userId: string, bookId: number): Promise<string> {
  const [entry] = await tx
    .update(libraryEntries)
    .set({
      source: sql`case ${libraryEntries.source} when 'owner' then 'purchase' else ${libraryEntries.source} end`,
    })
    .where(and(eq(libraryEntries.userId, userId), eq(libraryEntries.bookId, bookId)))
    .returning({ id: libraryEntries.id })
  if (!entry) throw new Error(`purchases.json sells a title that is in no library.`)
  return entry.id
}
