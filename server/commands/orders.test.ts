import { and, eq, isNull, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, checkOut, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { ownersOrders, WHY } from '#tests/support/owners-orders.ts'

let at: PayingShop
let office: ReturnType<typeof ownersOrders>
beforeAll(async () => {
  at = await payingShop()
  office = ownersOrders(at)
})
afterEach(() => {
  at.payments.onCall = () => undefined
})
afterAll(() => at.shop.close())

test('an order is found by number, buyer, title, payment and card, and shown with its history', async () => {
  const buyer = await aBuyer(at.shop)
  const order = await office.bought(buyer, [await office.book('The Salt Ledger')])
  for (const words of [
    order.number.toLowerCase(),
    buyer.user.email.slice(3),
    'salt led',
    order.intent,
    '4242',
  ])
    expect((await office.command('find', words)).said, words).toContain(`${order.number}  `)
  const { said } = await office.command('show', order.number)
  for (const part of [
    '£12.00 with £2.00 VAT, by card ending in 4242',
    '\n  1  £12.00  The Salt',
    'order_confirmed  waiting',
  ])
    expect(said).toContain(part)
  expect(said).not.toContain('Money back')
  expect(JSON.parse((await office.command('show', order.number, '--json')).said)).toMatchObject({
    order: { number: order.number },
    refunds: [],
  })
  await expect(office.command('show', 'M-1')).rejects.toThrow('There is no order M-1.')
})

test('resend sends the confirmation again; deliver adds missing titles and sends a gift with a new link', async () => {
  const { db } = at.shop
  const buyer = await aBuyer(at.shop)
  const [own, given] = [await office.book('Own'), await office.book('Given')]
  const friend = 'friend-of-una@murmur.example'
  const { number, order } = await office.bought(buyer, [own, { ...given, giftEmail: friend }])
  const again = await office.command('resend', number, ...WHY)
  expect(again.said).toContain(`${buyer.user.email} reads “Your Murmur order ${number}”:`)
  const confirmations = await db
    .select()
    .from(mails)
    .where(like(mails.key, `order_confirmed:${order}%`))
  expect(confirmations.map(({ data }) => data)).toEqual([confirmations[0]!.data, confirmations[0]!.data])

  await db.delete(libraryEntries).where(eq(libraryEntries.userId, buyer.user.id))
  const [before] = await db.select().from(gifts).where(eq(gifts.email, friend))
  expect((await office.command('deliver', number, ...WHY)).said).toMatch(/Own: delivered\nGiven: sent again$/)
  expect(await office.libraryOf(buyer)).toEqual([own.id])
  const [after] = await db.select().from(gifts).where(eq(gifts.email, friend))
  expect(after!.tokenHash).not.toBe(before!.tokenHash)
  const waiting = and(eq(mails.kind, 'gift_book'), eq(mails.recipient, friend), isNull(mails.failedAt))
  expect(await db.$count(mails, waiting)).toBe(1)
  expect((await office.command('deliver', number, ...WHY)).said).toContain('Own: there already')
  await db.update(gifts).set({ email: 'right@murmur.example' }).where(eq(gifts.id, before!.id))
  const { said } = await office.command('show', number)
  expect(said).toContain(`Given, a gift for ${friend}, corrected to right@murmur.example`)
  expect(said).toMatch(/gift_book /)
})

test('deliver processes an order that was paid but whose webhook event was lost', async () => {
  const buyer = await aBuyer(at.shop)
  const title = { ...(await office.book('Lost')), kind: 'audio_books' as const }
  const till = await checkOut(buyer, await fillBag(buyer, [title]))
  const { number } = (await at.shop.db.select().from(orders).where(eq(orders.id, till.order)))[0]!
  expect((await office.command('deliver', number, ...WHY)).said).toContain('It is not paid: open.')
  at.payments.pay(till.intent)
  expect((await office.command('deliver', number, ...WHY)).said).toContain('It was paid, and is delivered.')
  expect(await office.libraryOf(buyer)).toEqual([title.id])
})
