import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { orderLines, undecidedRefunds } from '#server/db/schema/orders.ts'
import { todoList } from '#server/checks/todo.ts'
import { aBuyer, hearOf, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { assignRefund } from './refunds-and-disputes.ts'
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

test('a refund in the dashboard that fits two lines leaves both in the library until the owner chooses one', async () => {
  const buyer = await aBuyer(at.shop)
  const [one, two] = [await office.book('One', 999), await office.book('Two', 999)]
  const { number, intent, order } = await office.bought(buyer, [one, two, await office.book('Three', 500)])
  at.payments.giveBack(intent, 999)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, intent, undefined, 'charge.refunded')
  const list = todoList(at.shop, async () => [])
  expect(await office.libraryOf(buyer)).toHaveLength(3)
  expect((await list()).map(({ kind, what }) => [kind, what])).toEqual([
    [
      'refund',
      `£9.99 of order ${number} went back at your payment provider, and 2 of its lines cost that: 1, One; 2, Two.`,
    ],
  ])
  expect((await office.command('show', number)).said).toMatch(/£9\.99 paid back[\s\S]*open for which line/)
  expect((await buyer.ask('GET', `/api/order_carts/${order}`)).json().status).toBe('partly_refunded')
  await expect(office.command('refund', number, '--line', '1', ...WHY)).rejects.toThrow('has yet to say')
  await expect(office.command('assign', number, '--line', '3', ...WHY)).rejects.toThrow('No money of')
  await expect(assignRefund(at.shop, { orderId: order, lineId: randomUUID() })).rejects.toThrow('Not Found')

  at.shop.clock.advance(86_400)
  const will = await office.command('assign', number, '--line', '2', '--because', 'it broke')
  expect(will.said).toContain('£9.99 that went back already was for Two: it leaves the library.')
  expect(await office.libraryOf(buyer)).toHaveLength(3)
  expect((await office.command('assign', number, '--line', '2', ...WHY)).said).toContain('Two is taken back.')
  expect(await office.libraryOf(buyer)).not.toContain(two.id)
  expect(await list()).toEqual([])
  const mail = (await office.mailsAbout(order)).find(({ kind }) => kind === 'title_refunded')
  expect(mail!.data).toMatchObject({ titles: ['Two'], amountMinor: 999 })
  await expect(office.command('assign', number, '--line', '1', ...WHY)).rejects.toThrow('No money of')
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(999)
  const found = await at.shop.db.select().from(undecidedRefunds).where(eq(undecidedRefunds.orderId, order))
  const [line] = await at.shop.db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.orderId, order), isNotNull(orderLines.refundedAt)))
  expect(line!.refundedAt).toEqual(found[0]!.foundAt)
})

test('a second refund of the same price, or the rest of the order, decides which lines the first one was for', async () => {
  for (const [prices, second, left] of [
    [[999, 999, 500], 999, 1],
    [[999, 999, 999], 1998, 0],
  ] as const) {
    const buyer = await aBuyer(at.shop)
    const { intent, order } = await office.bought(
      buyer,
      await Promise.all(prices.map((price, each) => office.book(`Title ${each}`, price))),
    )
    for (const amount of [999, second]) {
      at.payments.giveBack(intent, amount)
      await hearOf(at, intent, undefined, 'charge.refunded')
    }
    expect(await office.libraryOf(buyer)).toHaveLength(left)
    expect(await todoList(at.shop, async () => [])()).toEqual([])
    const refundMails = (await office.mailsAbout(order)).filter(({ kind }) => kind === 'title_refunded')
    expect(refundMails.map(({ data }) => data)).toEqual([
      expect.objectContaining({ amountMinor: 999 + second }),
    ])
  }
})

test('an undecided refund stays on the list, once, when a line of another price is refunded after it', async () => {
  const buyer = await aBuyer(at.shop)
  const { intent, order } = await office.bought(buyer, [
    await office.book('One', 999),
    await office.book('Two', 999),
    await office.book('Three', 500),
  ])
  for (const amount of [999, 500]) {
    at.payments.giveBack(intent, amount)
    await hearOf(at, intent, undefined, 'charge.refunded')
  }
  expect(await office.libraryOf(buyer)).toHaveLength(2)
  const found = await at.shop.db.select().from(undecidedRefunds).where(eq(undecidedRefunds.orderId, order))
  expect(found).toMatchObject([{ amountMinor: 999, decidedAt: null }])
  // The rest of the order decides.
  at.payments.giveBack(intent, 999)
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await office.libraryOf(buyer)).toEqual([])
})

test('an undecided refund that the bank does not accept leaves the list, and every title stays', async () => {
  const buyer = await aBuyer(at.shop)
  const { intent, number } = await office.bought(buyer, [
    await office.book('One', 999),
    await office.book('Two', 999),
  ])
  at.payments.giveBack(intent, 999)
  await hearOf(at, intent, undefined, 'charge.refunded')
  const [refund] = await at.payments.refundsOf(intent)
  at.payments.failRefund(refund!.id)
  await hearOf(at, intent, undefined, 'charge.refund.updated')
  expect(await office.libraryOf(buyer)).toHaveLength(2)
  expect(await todoList(at.shop, async () => [])()).toEqual([])
  expect((await office.command('show', number)).said).not.toContain('open for which line')
})

test('an undecided refund is not on the list while a dispute has taken back every line that it could be for', async () => {
  const buyer = await aBuyer(at.shop)
  const { intent } = await office.bought(buyer, [
    await office.book('One', 999),
    await office.book('Two', 999),
  ])
  at.payments.giveBack(intent, 999)
  await hearOf(at, intent, undefined, 'charge.refunded')
  const toAssign = async () =>
    (await todoList(at.shop, async () => [])()).filter(({ kind }) => kind === 'refund')
  expect(await toAssign()).toHaveLength(1)
  at.payments.dispute(intent)
  await hearOf(at, intent, undefined, 'charge.dispute.created')
  expect(await office.libraryOf(buyer)).toEqual([])
  expect(await toAssign()).toEqual([])
})
