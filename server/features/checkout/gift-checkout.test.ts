import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations.ts'
import { discounts, discountUses } from '#server/db/schema/discounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { type GiftRequest, giftSource } from './gift-checkout.ts'

type Giver = Parameters<typeof giftSource>[2]

let shop: TestShop
let member: Buyer
beforeAll(async () => {
  shop = await testShop()
  member = await aBuyer(shop)
  await shop.db.insert(discounts).values([
    { code: 'HALF', type: 'subscription', percent: 50 },
    { code: 'WHOLE', type: 'all', percent: 100 },
    { code: 'ONCE', type: 'subscription', percent: 50, oncePerAccount: true },
    { code: 'BOOKS', type: 'cheapest_book', percent: 50 },
  ])
})
afterAll(() => shop.close())

const account = (): Giver => ({ userId: member.user.id, country: 'GB' })
const visitor = (email = 'vera@murmur.example'): Giver => ({
  ...{ userId: null, visitor: { email, firstName: 'Vera', lastName: 'Hill' }, country: 'GB' },
})
const source = (buyer: Giver, wish: Partial<GiftRequest> = {}) =>
  giftSource(shop, { plan: 4, giftEmail: 'ann@post.example', startNow: true, ...wish }, buyer)
const basket = (buyer: Giver, couponCode: string | null) => source(buyer, { couponCode }).open(shop.db)
const refusal = async (buyer: Giver, couponCode: string) =>
  (await basket(buyer, couponCode)).refusal?.message ?? null

test('DISC-10: a code reduces the price of a gift, and one for books or an unknown one is refused', async () => {
  expect(await basket(account(), null)).toMatchObject({
    ...{ totalMinor: 800, beforeMinor: 800, code: null, refusal: null, hasUnknownCode: false },
  })
  const half = await basket(account(), 'half')
  expect(half).toMatchObject({
    ...{ totalMinor: 400, beforeMinor: 800, code: { code: 'HALF', percent: 50 }, hasUnknownCode: false },
    lines: [{ originalMinor: 800, priceMinor: 400, reduced: true, gift: { email: 'ann@post.example' } }],
  })
  expect(half.refusal).toBeNull()
  for (const code of ['BOOKS', 'NONE'])
    expect(await basket(account(), code)).toMatchObject({
      ...{ totalMinor: 800, code: null, hasUnknownCode: true },
      refusal: { message: 'This discount code is not valid' },
    })
})

test('DISC-10: a code that pays a gift in full, or counts once for each account, needs one', async () => {
  const logIn = 'Please log in or make an account to use this code.'
  expect(await refusal(visitor(), 'HALF')).toBeNull()
  expect(await refusal(visitor(), 'WHOLE')).toBe(logIn)
  expect(await refusal(visitor(), 'ONCE')).toBe(logIn)
  expect([await refusal(account(), 'WHOLE'), await refusal(account(), 'ONCE')]).toEqual([null, null])
  await shop.db
    .insert(discountUses)
    .values(['HALF', 'WHOLE', 'ONCE'].map((code) => ({ code, userId: member.user.id })))
  expect(await refusal(account(), 'HALF')).toBeNull()
  for (const code of ['WHOLE', 'ONCE']) expect(await refusal(account(), code)).toMatch(/already/)
})

test('without a key, what was paid for within the last hour is not bought again', async () => {
  const gift = source(account())
  const wasPaid = async (minutesAgo: number) => {
    const paidAt = new Date(shop.clock.now().getTime() - minutesAgo * MINUTE_MS)
    const sums = { totalMinor: 800, vatMinor: 133, beforeDiscountMinor: 800 }
    const buyer = { userId: member.user.id, buyerName: '', buyerEmail: '', countryCode: 'GB' }
    const order = {
      sourceKind: 'membership_gift',
      sourceId: gift.id,
      fingerprint: '',
      state: 'paid',
      paidAt,
    } as const
    await shop.db.insert(orders).values({ ...order, ...sums, ...buyer })
    return (await gift.open(shop.db)).lines.length
  }
  expect(await wasPaid(61)).toBe(1)
  expect(await wasPaid(59)).toBe(0)
})

test('a repeated request is the same gift: by buyer and key, without a key by all that was asked for', () => {
  const key = '3b241101-e2bb-4255-8caf-4136c566a962'
  const { id } = source(account(), { giftKey: key })
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(source(account(), { giftKey: key, plan: 5, giftMessage: 'Other' }).id).toBe(id)
  expect(source(visitor(), { giftKey: key }).id).not.toBe(id)
  expect(source(visitor('VERA@murmur.example'), { giftKey: key }).id).toBe(
    source(visitor(), { giftKey: key }).id,
  )
  expect(source(visitor('otto@murmur.example'), { giftKey: key }).id).not.toBe(
    source(visitor(), { giftKey: key }).id,
  )

  const plain = source(account()).id
  expect(source(account()).id).toBe(plain)
  expect(source(account(), { couponCode: null, giftMessage: ' ', giftRecipientFirstName: '' }).id).toBe(plain)
  for (const wish of [
    { plan: 5 },
    { couponCode: 'HALF' },
    { giftMessage: 'Hello' },
    { giftRecipientFirstName: 'Ann' },
  ] as const)
    expect(source(account(), wish).id).not.toBe(plain)
})
