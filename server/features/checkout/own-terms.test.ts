import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ShopFile } from '#contract/shop-details.ts'
import { takeShopFile } from '#server/features/shop-details/follow.ts'
import {
  aBuyer,
  checkOut,
  fillBag,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { anAudioBook } from '#tests/support/builders.ts'

let at: PayingShop
let titles: Awaited<ReturnType<typeof twoTitles>>
let free: Awaited<ReturnType<typeof anAudioBook>>
beforeAll(async () => {
  at = await payingShop()
  titles = await twoTitles(at.shop)
  free = await anAudioBook(at.shop, { priceMinor: 0, title: 'A Present' })
})
afterAll(() => at?.shop.close())

let version = 0
const say = (more: Partial<ShopFile>) => {
  version += 1
  const file = { name: 'Harbour Lane', ...more }
  at.shop.config.details.replace({ file, pictures: {}, version: String(version) })
  at.shop.answers.clear()
}
beforeEach(() => say({}))

async function joined({ user }: Awaited<ReturnType<typeof aBuyer>>): Promise<void> {
  const now = at.shop.clock.now()
  const until = new Date(now.getTime() + 20 * 86_400_000)
  const span = { orderedAt: now, periodStart: now, periodEnd: until, validUntil: until }
  await at.shop.db.insert(subscriptions).values({ userId: user.id, plan: 4, status: 'active', ...span })
}

const bagOf = (buyer: Parameters<typeof fillBag>[0]) =>
  fillBag(buyer, [
    { slug: titles.audioBook.slug, kind: 'audio_books' },
    { slug: titles.eBook.slug, kind: 'e_books' },
  ])

test('an order keeps the VAT rate of its own day, by the shop’s time zone and the buyer’s country', async () => {
  say({
    vat: {
      GB: [{ from: '2026-07-01', audiobook: 5, ebook: 10 }],
      IE: [{ from: '2020-01-01', audiobook: 23 }],
    },
  })
  const sums = async (buyer: Awaited<ReturnType<typeof aBuyer>>, order: string) => {
    const { sumVat, orderItems } = (await buyer.ask('GET', `/api/order_carts/${order}`)).json()
    const lines: { vatPercent: number; vat: number }[] = orderItems
    return { sumVat, lines: lines.map(({ vatPercent, vat }) => [vatPercent, vat]) }
  }
  // A minute before midnight in London, which is on British Summer Time.
  at.shop.clock.set('2026-06-30T22:59:00Z')
  const buyer = await aBuyer(at.shop)
  const before = await checkOut(buyer, await bagOf(buyer))
  at.payments.pay(before.intent)
  const later = await aBuyer(at.shop)
  const irish = await aBuyer(at.shop, { countryCode: 'IE' })
  at.shop.clock.set('2026-06-30T23:01:00Z')
  const after = await checkOut(later, await bagOf(later))
  expect(await sums(buyer, before.order)).toEqual({
    sumVat: 2,
    lines: [
      [20, 2],
      [0, 0],
    ],
  })
  expect(await sums(later, after.order)).toEqual({
    sumVat: 1.11,
    lines: [
      [5, 0.57],
      [10, 0.54],
    ],
  })
  const abroad = await checkOut(irish, await bagOf(irish))
  expect(await sums(irish, abroad.order)).toEqual({
    sumVat: 2.24,
    lines: [
      [23, 2.24],
      [0, 0],
    ],
  })
})

test('lists and the bag use the owner’s member discount, and cached responses are updated', async () => {
  const member = await aBuyer(at.shop)
  await joined(member)
  const path = `/api/audio_books/${titles.audioBook.slug}`
  const priceNow = async () => (await at.shop.app.inject(path)).json().subscriptionPrice
  expect(await priceNow()).toBe(9.6)
  say({ memberDiscount: 15 })
  expect(await priceNow()).toBe(10.2)
  const cart = await bagOf(member)
  const shown = (await member.ask('GET', `/api/carts/${cart}`)).json()
  expect(shown.sumCheckedForPayment).toBe(15.3)
  say({ memberDiscount: 0 })
  expect(await priceNow()).toBe(12)
})

test('in countries that the shop doesn’t sell to, purchases are refused at once; browsing and free titles work', async () => {
  say({ countries: ['GB', 'IE'] })
  const path = `/api/audio_books/${titles.audioBook.slug}`
  const from = async (country: string, url: string) =>
    (await at.shop.app.inject({ url, headers: { 'cf-ipcountry': country } })).json()
  expect(await from('FR', '/api/payment_settings')).toMatchObject({ sells: { to: ['GB', 'IE'], from: 'FR' } })
  expect([(await from('FR', path)).geoBlocked, (await from('IE', path)).geoBlocked]).toEqual([true, false])
  expect((await from('FR', `/api/audio_books/${free.slug}`)).geoBlocked).toBe(false)
  expect((await from('FR', '/api/audio_books'))['hydra:totalItems']).toBeGreaterThan(1)

  const refusals = async (buyer: Awaited<ReturnType<typeof aBuyer>>, country: string) => {
    const ask = async (url: string, payload: object) => {
      const headers = { ...buyer.headers, 'cf-ipcountry': country }
      const answer = await at.shop.app.inject({ method: 'POST', url, headers, payload })
      return [answer.statusCode, answer.json()['hydra:description'] as unknown]
    }
    const gift = { plan: 4, giftEmail: 'a@harbour.example', giftKey: crypto.randomUUID(), startNow: true }
    return Promise.all([
      ask('/api/cart_items', { audioBook: path }),
      ask('/api/subscriptions', { plan: 4, startNow: true }),
      ask('/api/subscriptions', { ...gift, gift: true }),
      ask('/api/subscriptions/create_trial_subscription', { startNow: true }),
      ask('/api/subscriptions/create-without-payment', { plan: 4, couponCode: 'X', startNow: true }),
      ask('/api/subscriptions/give', {
        ...gift,
        giver: { email: 'b@harbour.example', firstName: 'B', lastName: 'B', countryCode: country },
      }),
    ])
  }
  const told = [422, 'We’re sorry, we don’t sell to your country yet (France).']
  expect(await refusals(await aBuyer(at.shop), 'FR')).toEqual(Array.from({ length: 6 }, () => told))
  const french = await aBuyer(at.shop, { countryCode: 'FR' })
  expect((await refusals(french, 'GB')).slice(0, 5)).toEqual(Array.from({ length: 5 }, () => told))
  // Items that were in the bag before stay in it, but can't be checked out.
  say({})
  const buyer = await aBuyer(at.shop)
  const cart = await bagOf(buyer)
  say({ countries: ['IE'] })
  const checkout = await buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })
  expect(checkout.json()['hydra:description']).toBe(
    'We’re sorry, we don’t sell to your country yet (United Kingdom).',
  )
  expect((await french.ask('POST', `/api/audio_books/add-to-library/${free.slug}`, {})).statusCode).toBe(200)
})

test('shop.json is refused if it lacks a plan that a member has, and nothing changes', async () => {
  const member = await aBuyer(at.shop)
  await joined(member)
  const { dataDir } = at.shop.config
  mkdirSync(dataDir, { recursive: true })
  const save = (keys: readonly string[]) =>
    writeFileSync(
      join(dataDir, 'shop.json'),
      JSON.stringify({
        name: 'Harbour Lane',
        plans: keys.map((key) => ({ key, name: 'Friend', price: '5.00', freeAudiobooks: 0 })),
      }),
    )
  save(['supporter-month'])
  const [first] = await takeShopFile(at.shop)
  expect(first).toMatch(
    /^line 1: "plans" lacks "reader-month", which \d+ (person has|people have): keep it in the list, with "sold": false\.$/,
  )
  save(['reader-month'])
  expect(await takeShopFile(at.shop)).toEqual([])
})
