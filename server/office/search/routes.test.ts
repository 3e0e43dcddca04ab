import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Found } from '#contract/office/search.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { newSecrets } from '#server/codes/secrets.ts'
import { anAudioBook, aUser } from '#tests/support/builders.ts'
import { aCard } from '#tests/support/cards.ts'
import { cards } from '#server/db/schema/cards.ts'
import { ownersOrders } from '#tests/support/owners-orders.ts'
import { aBuyer, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let at: PayingShop
let wilf: StaffSession
beforeAll(async () => {
  at = await payingShop()
  wilf = await signedInStaff(at.shop, 'support')
})
afterAll(() => at.shop.close())

const find = async (words: string, by = wilf): Promise<Found[]> =>
  (await by.ask('POST', '/api/office/search', { words })).json().found

test('OFFICE-17: exactly a discount code, a used card or a gift’s code leads to its orders, its person or its order, for the roles that may', async () => {
  const { shop } = at
  await shop.db.insert(discounts).values({ code: 'SPRING25', type: 'all', percent: 25 })
  expect(await find('spring25')).toMatchObject([
    { kind: 'code', title: 'SPRING25', to: '/orders?code=SPRING25' },
  ])
  expect(await find('spring2')).toEqual([])

  const book = await anAudioBook(shop, { title: 'Salt' })
  const reader = await aUser(shop)
  const card = await aCard(shop, { book })
  expect(await find(card.number)).toEqual([])
  await shop.db
    .update(cards)
    .set({ redeemedAt: shop.clock.now(), redeemedBy: reader.id })
    .where(eq(cards.number, card.number))
  const used = [{ kind: 'card', title: `Card ${card.number}`, to: `/people/${reader.id}` }]
  expect(await find(card.number)).toMatchObject(used)
  expect(await find(card.code.toLowerCase())).toMatchObject(used)

  const office = ownersOrders(at)
  const { number } = await office.bought(await aBuyer(shop), [
    { ...(await office.book('Kelp')), giftEmail: 'ada@gift.example' },
  ])
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  await shop.db.update(gifts).set(hashes).where(eq(gifts.email, 'ada@gift.example'))
  expect(await find(secrets.code)).toEqual([
    {
      kind: 'gift',
      title: 'A present: Kelp',
      note: 'for ada@gift.example, not opened yet',
      to: `/orders/${number}`,
    },
  ])
  const editor = await signedInStaff(shop, 'editor')
  for (const words of ['SPRING25', card.number, secrets.code]) expect(await find(words, editor)).toEqual([])
})

test('OFFICE-17: orders, people and titles are found by what is typed, each only for the roles that may read them', async () => {
  const { shop } = at
  const office = ownersOrders(at)
  const ada = await aUser(shop, { firstName: 'Adelheid', lastName: 'Quist' })
  const { number } = await office.bought(await aBuyer(shop), [await office.book('Quistfjord')])
  const all = async (words: string, by = wilf) =>
    (await by.ask('POST', '/api/office/search', { words })).json()
  expect(await all('quist')).toMatchObject({
    people: [{ id: ada.id, name: 'Adelheid Quist', plan: null }],
    titles: [{ title: 'Quistfjord' }],
    titleCount: 1,
  })
  expect((await all(number)).orders).toMatchObject([{ number }])
  expect(await all('q')).toEqual({ found: [], orders: [], people: [], titles: [], titleCount: 0 })
  const editor = await signedInStaff(shop, 'editor')
  expect(await all('quist', editor)).toMatchObject({ people: [], titles: [{ title: 'Quistfjord' }] })
  const bookkeeper = await signedInStaff(shop, 'bookkeeper')
  expect(await all('quist', bookkeeper)).toMatchObject({ people: [], titles: [] })
})
