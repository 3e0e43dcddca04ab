import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { auditAll } from '#server/features/audit/service.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import { paymentSettings } from '#server/settings/payment-settings.ts'
import { signedIn } from '#tests/support/builders.ts'
import { withTitlesOfTheDemo } from '#tests/support/demo-titles.ts'
import { type TestSandbox, testSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { DEMO_CONTENT } from './demo-folders.ts'
import { loadAccounts } from './demo-accounts.ts'
import { enrolDemoMembers, payDemoOrders } from './demo-members.ts'
import { loadPurchases } from './demo-purchases.ts'

let sandbox: TestSandbox
let shop: TestShop
beforeAll(async () => {
  sandbox = await testSandbox()
  await sandbox.billing.prices.setUp(membershipPrices())
  shop = await testShop({ env: { DEMO: '1' }, payments: sandbox.payments, billing: sandbox.billing })
  const { now } = await sandbox.control('clock', { advance: 'PT0S' })
  shop.clock.set(new Date(Number(now) * 1000))
  await withTitlesOfTheDemo(shop)
  await loadAccounts(shop, DEMO_CONTENT, (daysAgo) => loadPurchases(daysAgo, DEMO_CONTENT))
  const control = sandboxControlOf(paymentSettings(sandbox.env))!
  await enrolDemoMembers(shop, control)
  await payDemoOrders(shop.db, control)
})
afterAll(async () => {
  await shop.close()
  await sandbox.close()
})

async function ask(name: string, url: string) {
  const [row] = await shop.db
    .select()
    .from(users)
    .where(eq(users.email, `${name}@murmur.example`))
  const headers = await signedIn(shop, { id: row!.id, email: row!.email, password: '' })
  const answer = await shop.app.inject({ url, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test('every code of the demo gives the agreed answer, and one does not exist', async () => {
  const told = async (code: string) => {
    const answer = await shop.app.inject(`/api/discounts/${code}`)
    const { active, discount_type: type, relative_discount: percent, discount_amount: amount } = answer.json()
    return answer.statusCode === 200 ? [active, type, percent, amount] : answer.statusCode
  }
  const codes = {
    WELCOME20: [true, 'all', 20, null],
    CHEAPEST: [true, 'cheapest_book', 100, null],
    BOOKGIFT: [true, 'all', 100, null],
    LEDGER50: [true, 'book', 50, null],
    MEMBER50: [true, 'subscription', 50, null],
    MONTHLY10: [true, 'monthly', 10, null],
    YEARLY25: [true, 'yearly', 25, null],
    ONEUSE: [true, 'all', 10, null],
    LASTYEAR: [false, 'all', 15, null],
    FIVER: [true, 'all', null, 5],
    FIRSTQUARTER: [true, 'monthly', 25, null],
    FREEMONTH: [true, 'subscription', 100, null],
    PROMOTRIAL: [true, 'subscription', 100, null],
    NOSUCHCODE: 404,
  }
  for (const [code, expected] of Object.entries(codes)) expect(await told(code), code).toEqual(expected)
})

test('one account has twelve orders of every kind with correct totals', async () => {
  const { 'hydra:member': orders, 'hydra:totalItems': total } = await ask(
    'shelf',
    '/api/order_carts?itemsPerPage=20',
  )
  expect(total).toBe(12)
  const kinds = new Set<string>()
  for (const order of orders) {
    kinds.add(order.transactions[0].type)
    if (order.couponCode) kinds.add('code')
    for (const item of order.orderItems) {
      if (item.gift) kinds.add('gift')
      if (item.subscription) kinds.add('membership')
    }
    const sum = order.orderItems.reduce((all: number, { price }: { price: number }) => all + price * 100, 0)
    expect(Math.round(sum)).toBe(Math.round(order.amount * 100))
  }
  expect([...kinds].sort()).toEqual(['card', 'code', 'free', 'gift', 'membership', 'paypal'])
  expect(orders[0].createdAt > orders[1].createdAt).toBe(true)
})

test('gifts wait for their recipients, a claimed one does not, and a bag is blocked abroad', async () => {
  for (const name of ['giftee', 'giftee+01', 'giftee+20'])
    expect((await ask(name, '/api/gifts'))['hydra:member']).toMatchObject([
      { giverName: 'Gwen Tarn', audioBook: { slug: 'nine-rooms-of-rain' } },
    ])
  expect((await ask('gone', '/api/gifts'))['hydra:totalItems']).toBe(0)
  expect((await ask('gone', '/api/libraries'))['hydra:totalItems']).toBe(1)
  const bag = await ask('abroad', '/api/carts/own')
  expect(bag).toMatchObject({
    itemCount: 2,
    blocked: true,
    items: [{ geoBlocked: true }, { geoBlocked: false }],
  })
  expect((await ask('empty', '/api/carts/own')).itemCount).toBe(0)
  expect((await ask('empty', '/api/order_carts'))['hydra:totalItems']).toBe(0)
})

test('MEMB-31: gift memberships are in their states: not claimed, claimed, and due at Christmas', async () => {
  const given = (await ask('giver', '/api/subscriptions/given'))['hydra:member']
  const of = (email: string) => given.find((gift: { giftEmail: string }) => gift.giftEmail === email)
  expect(given).toHaveLength(3)
  expect(of('giftee@murmur.example')).toMatchObject({ state: 'delivered', plan: 5, claimedAt: null })
  expect(of('gifted@murmur.example')).toMatchObject({ state: 'claimed', plan: 3 })
  expect(of('a.friend@post.example')).toMatchObject({ state: 'scheduled', plan: 2, christmas: true })
  for (const [name, giverName] of [
    ['giftee', 'Gwen Tarn'],
    ['giftee+01', 'Nell Hart'],
    ['giftee+20', 'Nell Hart'],
  ] as const)
    expect((await ask(name, '/api/subscriptions/gifts'))['hydra:member']).toMatchObject([
      { giverName: expect.stringContaining(giverName), plan: 5, state: 'unclaimed' },
    ])
})

test('an audit of the demo finds no inconsistency', async () => {
  const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0 }
  const { accounts, findings } = await auditAll(shop, options)
  expect(accounts).toBeGreaterThan(10)
  expect(findings).toEqual([])
})
