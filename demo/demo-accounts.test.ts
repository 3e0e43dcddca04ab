import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '#contract/account.ts'
import { users } from '#server/db/schema/accounts.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { signedIn } from '#tests/support/builders.ts'
import { withTitlesOfTheDemo } from '#tests/support/demo-titles.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { DEMO_CONTENT } from './demo-folders.ts'
import { loadAccounts } from './demo-accounts.ts'
import { loadPurchases } from './demo-purchases.ts'

const DAY = 24 * 3_600_000
let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
  await withTitlesOfTheDemo(shop)
  await loadAccounts(shop, DEMO_CONTENT, (daysAgo) => loadPurchases(daysAgo, DEMO_CONTENT))
})
afterAll(() => shop.close())

const ofUser = async (name: string): Promise<{ user: User; id: string }> => {
  const [row] = await shop.db
    .select()
    .from(users)
    .where(eq(users.email, `${name}@murmur.example`))
  const answer = await shop.app.inject({
    url: '/api/logged-user',
    headers: await signedIn(shop, { id: row!.id, email: row!.email, password: '' }),
  })
  expect(answer.statusCode).toBe(200)
  return { user: answer.json<User>(), id: row!.id }
}

/** Account, plan and status of the active membership, a failed payment, a free audiobook, a bookshop. */
const ACCOUNTS: readonly (readonly [
  string,
  number | null,
  string | null,
  boolean,
  boolean,
  string | null,
])[] = [
  ['nell', null, null, false, false, null],
  ['supporter', 6, 'active', false, false, null],
  ['reader', 4, 'active', false, true, null],
  ['avid', 2, 'active', false, true, null],
  ['trial', 4, 'trialing', false, true, null],
  ['lapsed', 4, 'past_due', true, false, null],
  ['gone', 4, 'active', false, false, null],
  ['giftee', null, null, false, false, null],
  ['corner', null, null, false, false, 'Corner House Books'],
  ['empty', null, null, false, false, null],
  ['shelf', 7, 'active', false, false, null],
  ['paypal', 4, 'active', false, true, null],
  ['gifted', 3, 'active', false, true, null],
  ['giver', null, null, false, false, null],
  ['credit', null, null, false, true, null],
  ['abroad', null, null, false, false, null],
  ['joined', 4, 'active', false, true, null],
  ['halfoff', 4, 'active', false, true, null],
  ['formerly', null, null, false, false, null],
  ['overdue', null, null, true, false, null],
  ['unconfirmed', null, null, false, false, null],
  ['nell+01', null, null, false, false, null],
  ['reader+20', 4, 'active', false, true, null],
  ['avid+07', 2, 'active', false, true, null],
  ['giftee+20', null, null, false, false, null],
]

test.each(ACCOUNTS)(
  'ENT-42 ROLE-10: %s@murmur.example has plan %s, status %s, a failed payment %s, a free audiobook %s, bookshop %s',
  async (name, plan, status, failed, hasCredit, outlet) => {
    const { user } = await ofUser(name)
    const { currentSubscription, subscriptions: all } = user
    expect([currentSubscription?.plan ?? null, currentSubscription?.status ?? null]).toEqual([plan, status])
    expect(all.some(({ paymentFailed }) => paymentFailed)).toBe(failed)
    expect(user.hasCredit).toBe(hasCredit)
    expect(user.outlet?.name ?? null).toBe(outlet)
    // Every field of ENT-08 that this part of the shop returns, and no secrets.
    expect(Object.keys(user)).toEqual(
      expect.arrayContaining(
        `uuid email firstName lastName fullName address1 address2 city county countryCode postCode newsletter
        promotions currentSubscription subscriptions hasCredit cart outlet jwtMercuryToken`.split(/\s+/),
      ),
    )
    expect(JSON.stringify(user)).not.toMatch(/password|argon2/i)
  },
)

test('the table lists every account of the demo, and no others', async () => {
  const { rows } = await shop.db.execute<{ email: string }>('select email from users')
  const kinds = new Set(rows.map(({ email }) => email.replace(/\+\d\d@/, '+NN@')))
  expect(new Set(ACCOUNTS.map(([name]) => `${name.replace(/\+\d\d$/, '+NN')}@murmur.example`))).toEqual(kinds)
  expect(rows).toHaveLength(21 + 2 * 30 + 2 * 20)
})

test('a canceled membership is valid for 20 more days and has the date of its cancellation', async () => {
  const { user } = await ofUser('gone')
  const { canceledAt, validUntil } = user.currentSubscription!
  expect(Date.parse(validUntil!) - shop.now().getTime()).toBe(20 * DAY)
  expect(shop.now().getTime() - Date.parse(canceledAt!)).toBe(4 * DAY)
})

test('after a failed payment the benefits stay for the rest of seven days', async () => {
  const { user } = await ofUser('lapsed')
  expect(Date.parse(user.currentSubscription!.validUntil!) - shop.now().getTime()).toBe(5 * DAY)
})

test('a year’s free audiobooks are granted month by month and expire with their month', async () => {
  const { id } = await ofUser('avid')
  const rows = await shop.db.select().from(credits).where(eq(credits.userId, id))
  const usable = rows.filter(({ usableFrom }) => usableFrom <= shop.clock.now())
  expect(usable).toHaveLength(2)
  // Two for each month still to come.
  expect(rows).toHaveLength(2 + 2 * 8)
  for (const { usableUntil } of usable) {
    const days = (usableUntil.getTime() - shop.now().getTime()) / DAY
    expect(days).toBeGreaterThan(0)
    expect(days).toBeLessThanOrEqual(30)
  }
})

test("the membership's row stores payment method, gift and discount", async () => {
  const rowOf = async (name: string) => {
    const { id } = await ofUser(name)
    const [row] = await shop.db.select().from(subscriptions).where(eq(subscriptions.userId, id))
    return row!
  }
  expect(await rowOf('supporter')).toMatchObject({ paymentType: 'card', cardLast4: '4242', gift: false })
  expect(await rowOf('paypal')).toMatchObject({ paymentType: 'paypal', cardLast4: null })
  expect(await rowOf('gifted')).toMatchObject({ paymentType: null, gift: true })
  expect(await rowOf('halfoff')).toMatchObject({
    percentDiscount: 25,
    discountDuration: 'repeating',
    discountDurationMonths: 3,
  })
})
