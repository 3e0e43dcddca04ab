import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderLines, orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

const list = async (query = '') => (await editor.ask('GET', `/api/office/codes${query}`)).json()
const make = (body: object) =>
  editor.ask('POST', '/api/office/codes', { target: 'all', oncePerAccount: false, ...body })

test('OFFICE-63: a code is made, ended and started again, with undo, and lists what it cost', async () => {
  expect((await make({ code: 'tide20', percent: 20, uses: 50 })).json()).toEqual({ codes: ['TIDE20'] })
  const { id: bookId } = await anAudioBook(shop)
  const [order] = await shop.db
    .insert(orders)
    .values({
      ...{ state: 'paid', fingerprint: '-', totalMinor: 800, vatMinor: 0, beforeDiscountMinor: 1000 },
      ...{ couponCode: 'TIDE20', buyerName: 'Una', buyerEmail: 'una@post.example', countryCode: 'GB' },
      paidAt: shop.clock.now(),
    })
    .returning()
  await shop.db.insert(orderLines).values({
    ...{ orderId: order!.id, position: 0, bookId, title: 'Low Water', vatPercent: 0, vatMinor: 0 },
    ...{ originalMinor: 1000, priceMinor: 800 },
  })
  expect(await list('?words=tide')).toMatchObject({
    rows: [
      {
        code: 'TIDE20',
        discount: '20% off',
        taken: 1,
        uses: 50,
        state: 'works',
        costMinor: 200,
        soldMinor: 800,
      },
    ],
    total: 1,
    sums: { costMinor: 200 },
  })
  const ended = await editor.ask('POST', '/api/office/codes/TIDE20/stop')
  expect((await list('?state=stopped')).rows).toMatchObject([{ code: 'TIDE20' }])
  expect((await editor.ask('POST', '/api/office/codes/TIDE20/stop')).statusCode).toBe(422)
  await editor.ask('POST', `/api/office/activity/${ended.json().entry}/undo`)
  expect((await list('?words=TIDE20')).rows).toMatchObject([{ state: 'works' }])
})

test('OFFICE-63: many random codes are made at once, what contradicts itself is refused, and pages follow', async () => {
  const { codes } = (await make({ count: 60, prefix: 'PRESS-', percent: 100 })).json()
  expect(new Set(codes).size).toBe(60)
  const first = await list('?words=press&limit=50')
  const second = await list(`?words=press&limit=50&after=${encodeURIComponent(first.next)}`)
  expect([first.rows.length, second.rows.length, second.next, first.total]).toEqual([50, 10, null, 60])
  const refused = await make({ code: 'BOTH', percent: 5, amountMinor: 500 })
  expect([refused.statusCode, refused.json()['hydra:description']]).toEqual([
    422,
    '“BOTH” needs either “percent” or “amount”, in pounds.',
  ])
  expect((await make({ percent: 5 })).statusCode).toBe(422)
})

test('OFFICE-08: the codes of a list are downloaded as CSV', async () => {
  await make({ code: 'ebb10', percent: 10, uses: 5 })
  const { body } = await editor.ask('GET', '/api/office/codes/export?words=ebb')
  expect(body.trim().split('\n').slice(1)).toEqual(['EBB10,10% off,all,0,5,,,works,0.00,0.00'])
})
