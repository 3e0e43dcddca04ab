import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { payments } from '#server/db/schema/orders.ts'
import { reconcile } from '#server/features/checkout/reconcile-payments.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import { paymentSettings } from '#server/settings/payment-settings.ts'
import { signedIn } from '#tests/support/builders.ts'
import { type TestSandbox, testSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { DEMO_CONTENT } from './demo-folders.ts'
import { loadAccounts } from './demo-accounts.ts'
import { payDemoOrders } from './demo-members.ts'
import { loadPurchases } from './demo-purchases.ts'

let sandbox: TestSandbox
let shop: TestShop

const read = (file: string) => JSON.parse(readFileSync(join(DEMO_CONTENT, file), 'utf8'))
beforeAll(async () => {
  sandbox = await testSandbox()
  shop = await testShop({ env: { DEMO: '1' }, payments: sandbox.payments, billing: sandbox.billing })
  const folder = mkdtempSync(join(tmpdir(), 'murmur-purchases-'))
  const { password, accounts } = read('accounts.json')
  const bare = accounts.map((account: object) => ({ ...account, library: [], listening: [], bookmarks: [] }))
  writeFileSync(join(folder, 'accounts.json'), JSON.stringify({ password, accounts: bare }))
  const { memberships } = read('purchases.json')
  writeFileSync(
    join(folder, 'purchases.json'),
    JSON.stringify({ memberships, orders: [], gifts: [], bags: [] }),
  )
  await loadAccounts(shop, folder, (daysAgo) => loadPurchases(daysAgo, folder))
  rmSync(folder, { recursive: true })
})
afterAll(async () => {
  await shop.close()
  await sandbox.close()
})

const sandboxControl = () => sandboxControlOf(paymentSettings(sandbox.env))!
async function ask(method: 'GET' | 'POST', url: string) {
  const email = 'giver@murmur.example'
  const [user] = await shop.db.select().from(users).where(eq(users.email, email))
  const headers = await signedIn(shop, { id: user!.id, email, password: '' })
  const answer = await shop.app.inject({
    method,
    url,
    headers,
    ...(method === 'POST' ? { payload: {} } : {}),
  })
  return answer.json()
}
const giftTo = async (name: string) =>
  (await ask('GET', '/api/subscriptions/given'))['hydra:member'].find(
    ({ giftEmail }: { giftEmail: string }) => giftEmail.startsWith(`${name}@`),
  )

test('the gifts of the demo are paid at the provider like their orders, once, even if the shop lost the payment id', async () => {
  expect(await payDemoOrders(shop.db, sandboxControl())).toBe(23)
  expect(await payDemoOrders(shop.db, sandboxControl())).toBe(0)
  const { order } = await giftTo('giftee')
  const [before] = await shop.db.select().from(payments).where(eq(payments.orderId, order))
  expect(await sandbox.payments.retrievePayment(before!.intentId!)).toMatchObject({
    state: 'paid',
    amountMinor: 8000,
    method: 'card',
    cardLast4: '4242',
    metadata: { order },
  })
  await shop.db.update(payments).set({ intentId: null }).where(eq(payments.orderId, order))
  expect(await payDemoOrders(shop.db, sandboxControl())).toBe(1)
  expect(await shop.db.select().from(payments).where(eq(payments.orderId, order))).toEqual([before])
  expect(await reconcile(shop)).toMatchObject({ failed: 0, wrong: [] })
})

test('a giver of the demo takes a gift back and gets a refund', async () => {
  const gift = await giftTo('giftee')
  expect(gift).toMatchObject({ state: 'delivered', amount: 80, takeBack: { amount: 80 } })
  await ask('POST', `/api/subscriptions/given/${gift.id}/take-back`)
  expect(await giftTo('giftee')).toMatchObject({ state: 'refunded', takeBack: null })
  expect(await ask('GET', `/api/order_carts/${gift.order}`)).toMatchObject({
    status: 'refunded',
    refundedAmount: 80,
    orderItems: [{ title: 'A year of Reader', gift: true, price: 80 }],
  })
  const [payment] = await shop.db.select().from(payments).where(eq(payments.orderId, gift.order))
  expect(await sandbox.payments.retrievePayment(payment!.intentId!)).toMatchObject({ refundedMinor: 8000 })
  // A claimed or old gift cannot be taken back.
  expect(await giftTo('gifted')).toMatchObject({
    state: 'claimed',
    takeBack: null,
    amount: expect.any(Number),
  })
})
