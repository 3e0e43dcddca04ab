import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sales } from '#contract/office/sales.ts'
import { orderLines, orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let keeper: StaffSession
beforeAll(async () => {
  shop = await testShop()
  keeper = await signedInStaff(shop, 'bookkeeper')
  const { id: bookId } = await anAudioBook(shop, { title: 'Low Water' })
  for (const [countryCode, vatPercent, totalMinor, vatMinor, refundedMinor] of [
    ['GB', 20, 1200, 200, 0],
    ['IE', 23, 1230, 230, 0],
    ['DE', 7, 1070, 70, 1070],
    ['US', 0, 1000, 0, 0],
  ] as const) {
    const [order] = await shop.db
      .insert(orders)
      .values({
        ...{ state: 'paid', fingerprint: '-', totalMinor, vatMinor, refundedMinor, countryCode },
        ...{ beforeDiscountMinor: totalMinor, buyerName: 'Una', buyerEmail: 'una@post.example' },
        paidAt: new Date('2026-05-06T10:00:00Z'),
      })
      .returning()
    await shop.db.insert(orderLines).values({
      ...{ orderId: order!.id, position: 0, bookId, title: 'Low Water', vatPercent, vatMinor },
      ...{ originalMinor: totalMinor, priceMinor: totalMinor },
      refundedAt: refundedMinor > 0 ? new Date('2026-05-07T10:00:00Z') : null,
    })
  }
})
afterAll(() => shop.close())

const ask = (path: string, by = keeper) => by.ask('GET', `/api/office/sales${path}`)

test('OFFICE-55: a quarter by day and by rate adds up to what was taken less what went back', async () => {
  const sales: Sales = (await ask('?period=2026-Q2')).json()
  expect(sales).toMatchObject({ from: '2026-04-01', to: '2026-06-30', period: '2026-Q2' })
  expect(sales.total).toMatchObject({ orders: 4, takenMinor: 4500, refundedMinor: 1070, leftMinor: 3430 })
  expect(sales.total).toMatchObject({ vatMinor: 430, netMinor: 3000 })
  expect(sales.days.map(({ day, takenMinor, refundedMinor }) => [day, takenMinor, refundedMinor])).toEqual([
    ['2026-05-06', 4500, 0],
    ['2026-05-07', 0, 1070],
  ])
  expect(
    Object.fromEntries(
      sales.rates.map(({ country, percent, vatMinor }) => [`${country} ${percent}`, vatMinor]),
    ),
  ).toEqual({ 'DE 7': 0, 'GB 20': 200, 'IE 23': 230, 'US 0': 0 })
})

test('OFFICE-55: without a period it is this month; one that is no period is refused', async () => {
  const { period, isSoFar } = (await ask('')).json()
  expect([period, isSoFar]).toEqual([shop.clock.now().toISOString().slice(0, 7), true])
  for (const odd of ['2026-13', '2026-11-30..2026-11-01', '1990-01-01..2026-01-01', 'x'])
    expect((await ask(`?period=${odd}`)).statusCode, odd).toBe(400)
})

test('OFFICE-57: the One Stop Shop sheet has the European Union only, and the export needs the passkey and is written down', async () => {
  const late = await signedInStaff(shop, 'bookkeeper', { confirmed: false })
  expect((await ask('/one-stop-shop/export?period=2026-Q2', late)).statusCode).toBe(403)
  const sheet = await ask('/one-stop-shop/export?period=2026-Q2')
  expect(sheet.payload.slice(1).trim().split('\r\n')).toEqual([
    'Country,Name,VAT rate %,Taxable £,VAT £',
    'DE,Germany,7,0,0',
    'IE,Ireland,23,10,2.3',
  ])
  const owner = await signedInStaff(shop, 'owner')
  const log = await owner.ask('GET', '/api/office/activity?kind=one stop shop export')
  expect(log.json().rows).toMatchObject([{ by: keeper.name, what: 'Downloaded 2 rows as CSV' }])
})

test('OFFICE-56: a rights holder’s statement comes as PDF and as CSV, and an unknown one is 404', async () => {
  const { holders } = (await ask('/rights-holders?period=2026-05&by=publisher')).json()
  expect(holders).toMatchObject([{ copies: 4, netMinor: 3000 }])
  const { name } = holders[0]
  const of = (as: string, who = name) =>
    ask(`/rights-holders/export?period=2026-05&by=publisher&as=${as}&name=${encodeURIComponent(who)}`)
  const pdf = await of('pdf')
  expect([pdf.statusCode, pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect((await of('csv')).payload.split('\r\n')[1]).toBe(
    `${name},Low Water (audiobook),4,0,0,0,0,45,10.7,4.3,30`,
  )
  expect((await of('pdf', 'Nobody')).statusCode).toBe(404)
})
