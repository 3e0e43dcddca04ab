import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedOrder } from '#contract/office/orders.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let at: PayingShop
let wilf: StaffSession
let owner: StaffSession
beforeAll(async () => {
  at = await payingShop()
  wilf = await signedInStaff(at.shop, 'support', { name: 'Wilf Garrity' })
  owner = await signedInStaff(at.shop, 'owner')
})
afterAll(() => at.shop.close())

async function bought(...titles: readonly (TestBook & { giftEmail?: string })[]) {
  const buyer = await aBuyer(at.shop)
  const checkout = await checkOut(
    buyer,
    await fillBag(
      buyer,
      titles.map((title) => ({ ...title, kind: 'audio_books' })),
    ),
  )
  at.payments.pay(checkout.intent, { last4: '4242' })
  await comeBack(buyer, checkout)
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, checkout.order))
  return {
    id: checkout.order,
    number: order!.number,
    totalMinor: order!.totalMinor,
    email: order!.buyerEmail,
  }
}
const list = async (query = '') => (await wilf.ask('GET', `/api/office/orders?${query}`)).json()
const numbers = (page: { rows: ListedOrder[] }) => page.rows.map(({ number }) => number)
const reason = (answer: Awaited<ReturnType<StaffSession['ask']>>) => answer.json()['hydra:description']

test('OFFICE-07: orders are found by number, buyer, title, card, state, sum and gift, with their sum, and paged without gaps', async () => {
  const one = await bought(await anAudioBook(at.shop, { title: 'Oak Gall' }))
  const two = await bought({
    ...(await anAudioBook(at.shop, { title: '100% Skerry' })),
    giftEmail: 'ada@gift.example',
  })
  const all = await list()
  expect(numbers(all)).toEqual([two.number, one.number])
  expect([all.total, all.sums.totalMinor]).toEqual([2, one.totalMinor + two.totalMinor])
  expect(all.rows[1]).toMatchObject({
    titles: 'Oak Gall',
    state: 'paid',
    hasGift: false,
    paidWith: 'card 4242',
  })
  for (const query of ['words=oak', `words=${one.number.toLowerCase()}`, `words=${one.email}`, 'gift=no'])
    expect(numbers(await list(query)), query).toEqual([one.number])
  for (const query of ['words=100%25', 'words=ada@gift.example', 'gift=yes'])
    expect(numbers(await list(query)), query).toEqual([two.number])
  for (const query of [
    'words=%25%25',
    'state=refunded',
    'country=abroad',
    'total=5000',
    'code=NONE',
    'paid=yesterday',
  ])
    expect(numbers(await list(query)), query).toEqual([])
  expect(numbers(await list('words=4242&paid=today&state=settled&total=0.01&country=gb'))).toHaveLength(2)
  const first = await list('limit=1&sort=buyer')
  const second = await list(`limit=1&sort=buyer&after=${first.next}`)
  expect(new Set([...numbers(first), ...numbers(second)])).toEqual(new Set([one.number, two.number]))
  expect(second.next).toBeNull()
  const forged = (...place: unknown[]) => `after=${Buffer.from(JSON.stringify(place)).toString('base64url')}`
  const id = '00000000-0000-4000-8000-000000000000'
  for (const bad of [
    'sort=secret',
    'state=lost',
    'after=zzz',
    'paid=soon',
    forged('soon', id),
    forged(null, id),
    forged('2026-11-26 00:52:00+00', "x' or true"),
    `sort=total&${forged('1e9', id)}`,
  ])
    expect((await wilf.ask('GET', `/api/office/orders?${bad}`)).statusCode, bad).toBe(400)
})

test('OFFICE-07: a refund shows its sum and its email first, then sends both, is written down with its reason, and is on the order', async () => {
  const title = await anAudioBook(at.shop, { title: 'Nine Winters' })
  const order = await bought(title, await anAudioBook(at.shop, { title: 'Low Light' }))
  const at1 = `/api/office/orders/${order.number}`
  const plan = (await wilf.ask('POST', `${at1}/refund/plan`, { places: [1], keeps: false })).json()
  expect(plan.email).toMatchObject({ to: order.email, subject: expect.stringContaining(order.number) })
  expect(plan.limitMinor).toBe(50_00)
  const refund = (body: object, by = wilf) => by.ask('POST', `${at1}/refund`, body)
  const body = { places: [1], keeps: false, shownMinor: plan.amountMinor, because: 'Bought by mistake' }
  expect((await refund({ ...body, because: ' ' })).statusCode).toBe(422)
  expect((await refund({ ...body, shownMinor: plan.amountMinor - 1 })).statusCode).toBe(409)
  const tooMuch = await refund({ ...body, shownMinor: 50_01 })
  expect([tooMuch.statusCode, reason(tooMuch)]).toEqual([
    403,
    'Your role refunds up to £50.00 at once. Ask an owner.',
  ])
  expect((await refund(body)).statusCode).toBe(200)
  const rows = await at.shop.db.select().from(refunds).where(eq(refunds.orderId, order.id))
  expect(rows.map(({ amountMinor }) => amountMinor)).toEqual([plan.amountMinor])
  const whole = (await wilf.ask('GET', at1)).json()
  expect(whole.leftMinor).toBe(order.totalMinor - plan.amountMinor)
  expect(whole.timeline).toContainEqual(
    expect.objectContaining({
      kind: 'staff',
      detail: '“Bought by mistake”',
      what: expect.stringContaining('Wilf'),
    }),
  )
  const [entry] = (await owner.ask('GET', '/api/office/activity?kind=orders%20refund&limit=1')).json().rows
  expect(entry).toMatchObject({ by: 'Wilf Garrity', about: `order ${order.number}`, canUndo: false })
  // The same lines can't go back twice.
  expect((await refund(body)).statusCode).toBe(422)
})

test('OFFICE-07: a receipt is sent again, an order is delivered again, and one that does not exist is 404', async () => {
  const order = await bought(await anAudioBook(at.shop, { title: 'Peat' }))
  const sent = await wilf.ask('POST', `/api/office/orders/${order.number}/receipt`)
  expect(sent.json()).toEqual({ to: order.email })
  const receipts = (await at.shop.db.select().from(mails)).filter(
    ({ kind, recipient }) => kind === 'order_confirmed' && recipient === order.email,
  )
  expect(receipts).toHaveLength(2)
  expect((await wilf.ask('POST', `/api/office/orders/${order.number}/delivery`)).statusCode).toBe(200)
  expect((await wilf.ask('GET', '/api/office/orders/M-999999')).statusCode).toBe(404)
})

test('OFFICE-18: a refund of the provider’s dashboard that fits two lines is assigned to one, with the email shown before', async () => {
  const buyer = await aBuyer(at.shop)
  const titles = [
    await anAudioBook(at.shop, { title: 'One', priceMinor: 999 }),
    await anAudioBook(at.shop, { title: 'Two', priceMinor: 999 }),
    await anAudioBook(at.shop, { title: 'Three', priceMinor: 500 }),
  ]
  const checkout = await checkOut(
    buyer,
    await fillBag(
      buyer,
      titles.map((title) => ({ ...title, kind: 'audio_books' })),
    ),
  )
  at.payments.pay(checkout.intent, { last4: '4242' })
  await comeBack(buyer, checkout)
  at.payments.giveBack(checkout.intent, 999)
  await hearOf(at, checkout.intent, undefined, 'charge.refunded')
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, checkout.order))
  const { number } = order!
  const whole = async () => (await wilf.ask('GET', `/api/office/orders/${number}`)).json()
  const [open] = (await whole()).undecided
  expect(open.amountMinor).toBe(999)
  expect(open.choices).toMatchObject([
    { place: 1, title: 'One', email: { to: buyer.user.email, text: expect.stringContaining('One') } },
    { place: 2, title: 'Two', does: 'it leaves their library.' },
  ])
  const assign = (body: object) => wilf.ask('POST', `/api/office/orders/${number}/assignment`, body)
  for (const place of [3, 9]) expect((await assign({ place, because: 'It broke' })).statusCode).toBe(422)
  expect((await assign({ place: 2, because: ' ' })).statusCode).toBe(422)
  expect((await assign({ place: 2, because: 'It broke' })).json()).toEqual({
    what: '£9.99 that went back was for Two',
  })
  const after = await whole()
  expect(after.undecided).toEqual([])
  expect(after.lines.map(({ refundedAt }: { refundedAt: string | null }) => refundedAt !== null)).toEqual([
    false,
    true,
    false,
  ])
  expect((await assign({ place: 1, because: 'Again' })).statusCode).toBe(422)
})

test('OFFICE-07: orders are exported as a spreadsheet by the roles that may, and the log says who took how many', async () => {
  const file = await owner.ask('GET', '/api/office/orders/export?words=oak')
  expect(file.body).toContain('Oak Gall')
  expect(file.body.trim().split('\n')).toHaveLength(2)
  expect((await wilf.ask('GET', '/api/office/orders/export')).statusCode).toBe(403)
  const [entry] = (await owner.ask('GET', '/api/office/activity?limit=1')).json().rows
  expect(entry).toMatchObject({ kind: 'orders export', what: 'Downloaded 1 rows as CSV' })
})

test('OFFICE-08: saved views are one’s own, and limited', async () => {
  const view = { name: 'Big ones', search: { total: '50' } }
  const saved = await wilf.ask('POST', '/api/office/views/orders', view)
  expect([saved.statusCode, saved.json()]).toMatchObject([201, view])
  expect((await wilf.ask('GET', '/api/office/views/orders')).json().views).toMatchObject([view])
  expect((await owner.ask('GET', '/api/office/views/orders')).json().views).toEqual([])
  const address = `/api/office/views/orders/${saved.json().id}`
  expect((await owner.ask('DELETE', address)).statusCode).toBe(404)
  expect((await wilf.ask('DELETE', address)).statusCode).toBe(204)
  for (let count = 0; count < 20; count += 1) await wilf.ask('POST', '/api/office/views/orders', view)
  expect((await wilf.ask('POST', '/api/office/views/orders', view)).statusCode).toBe(422)
})
