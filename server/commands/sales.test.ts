import { afterAll, beforeAll, expect, test } from 'vitest'
import { orders } from '#server/db/schema/orders.ts'
import { ordersCommand } from '#server/commands/orders.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { typed } from '#tests/support/run-command.ts'
import { salesCommand } from './sales.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const sales = (...argv: string[]) => typed(at.shop, salesCommand, argv)
async function buy(buyer: Buyer) {
  const audio = { ...(await anAudioBook(at.shop, { priceMinor: 1200 })), kind: 'audio_books' as const }
  const text = { ...(await anEBook(at.shop, { priceMinor: 599 })), kind: 'e_books' as const }
  const till = await checkOut(buyer, await fillBag(buyer, [audio, text]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  return till
}

test('sales are summed by day in the shop’s time zone, with VAT; refunds count on their own day', async () => {
  expect((await sales()).said).toBe('Nothing was sold from 2026-03-01 to 2026-03-02.')
  const buyer = await aBuyer(at.shop)
  await buy(buyer)
  // Half past midnight in London, the day before in UTC.
  at.shop.clock.set('2026-03-31T23:30:00Z')
  const { intent } = await buy(await aBuyer(at.shop))
  await buy(await aBuyer(at.shop))
  at.shop.clock.set('2026-04-02T10:00:00Z')
  const { number } = (await at.shop.db.select().from(orders).orderBy(orders.createdAt))[0]!
  await typed(at.shop, ordersCommand, ['refund', number, '--line', '1', '--because', 'it broke', '--yes'])
  at.shop.clock.set('2026-04-03T10:00:00Z')
  at.payments.giveBack(intent, 599)
  await hearOf(at, intent, undefined, 'charge.refunded')

  const { said } = await sales('--from', '2026-03-01', '--to', '2026-04-30')
  expect(said.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
    ['Day', 'Orders', 'With VAT', 'VAT in it', 'Free of VAT', 'Paid back', 'VAT in that', 'Left', 'VAT due'],
    ['2026-03-02', '1', '£12.00', '£2.00', '£5.99', '£0.00', '£0.00', '£17.99', '£2.00'],
    ['2026-04-01', '2', '£24.00', '£4.00', '£11.98', '£0.00', '£0.00', '£35.98', '£4.00'],
    // Each refund with the VAT that it contained: the audiobook's, and none for the e-book.
    ['2026-04-02', '0', '£0.00', '£0.00', '£0.00', '£12.00', '£2.00', '−£12.00', '−£2.00'],
    ['2026-04-03', '0', '£0.00', '£0.00', '£0.00', '£5.99', '£0.00', '−£5.99', '£0.00'],
    ['Total', '3', '£36.00', '£6.00', '£17.97', '£17.99', '£2.00', '£35.98', '£4.00'],
  ])
  const csv = (await sales('--from', '2026-04-01', '--to', '2026-04-01', '--csv')).said.split('\n')
  expect(csv[1]).toBe('2026-04-01,2,24,4,11.98,0,0,35.98,4')
  expect(JSON.parse((await sales('--to', '2026-04-30', '--json')).said)).toMatchObject({
    from: '2026-04-01',
    total: { orders: 2 },
  })
  await expect(sales('--from', 'yesterday')).rejects.toThrow(/A day is written 2026-11-23/)
})
