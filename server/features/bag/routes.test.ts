import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCartItem, applyUser, getCart, listCartItems } from '#contract/bag.ts'
import { BAG_SIZE } from '#contract/limits.ts'
import { bookLocations, books, bookTags, locations, tags } from '#server/db/schema/catalogue.ts'
import { cartItems } from '#server/db/schema/bag.ts'
import { discounts, discountUses } from '#server/db/schema/discounts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { people } from '#server/db/schema/people.ts'
import { aBuyer, type Buyer, fillBag } from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { hasGiftByEmail } from './service.ts'

let shop: TestShop
/** A visitor: the same calls, without a token. */
let visitor: Pick<Buyer, 'ask'>
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  visitor = {
    ask: async (method, url, payload) => {
      shop.clock.advance(1)
      return shop.app.inject({ method, url, ...(payload ? { payload } : {}) })
    },
  }
  await shop.db.insert(discounts).values([
    { code: 'TENTH', type: 'all', percent: 10 },
    { code: 'MEMBERS', type: 'monthly', percent: 10 },
    { code: 'ENDED', type: 'all', percent: 10, endsAt: shop.clock.now() },
    { code: 'ONCE', type: 'all', percent: 10, oncePerAccount: true },
    { code: 'CHEAPEST', type: 'cheapest_book', percent: 100 },
  ])
})
afterAll(() => shop.close())

const audio = async (fields: Parameters<typeof anAudioBook>[1] = {}) => ({
  ...(await anAudioBook(shop, { priceMinor: 1200, ...fields })),
  kind: 'audio_books' as const,
})
const eBook = async (fields: Parameters<typeof anEBook>[1] = {}) => ({
  ...(await anEBook(shop, { priceMinor: 599, ...fields })),
  kind: 'e_books' as const,
})
const add = (who: Pick<Buyer, 'ask'>, slug: string, more: object = {}) =>
  who.ask('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}`, ...more })
const bagOf = async (who: Pick<Buyer, 'ask'>, id: string) => (await who.ask('GET', `/api/carts/${id}`)).json()

test('API-59 API-60: the first title creates a guest bag, and the next one is added to it', async () => {
  const [one, two] = [await audio(), await eBook()]
  const first = await add(visitor, one.slug)
  expect(first.statusCode).toBe(201)
  expect(misfits(addCartItem.reply, first.json())).toEqual([])
  const { uuid } = first.json().cart
  const second = await visitor.ask('POST', '/api/cart_items', {
    cart: `/api/carts/${uuid}`,
    eBook: `/api/e_books/${two.slug}`,
  })
  expect(second.json()).toMatchObject({
    cart: { uuid },
    audioBook: null,
    eBook: { slug: two.slug },
    price: 5.99,
  })
  expect((await bagOf(visitor, uuid)).itemCount).toBe(2)
})

test('API-59: a title is in a bag once, even if it is added again', async () => {
  const { slug } = await audio()
  const first = (await add(visitor, slug)).json()
  const cart = first.cart['@id']
  const again = await Promise.all([add(visitor, slug, { cart }), add(visitor, slug, { cart })])
  for (const answer of again) {
    expect(answer.statusCode).toBe(200)
    expect(answer.json().uuid).toBe(first.uuid)
  }
  expect((await bagOf(visitor, first.cart.uuid)).itemCount).toBe(1)
})

test('API-61 ENT-07 ENT-41: a bag lists its items with all fields, to its holder only', async () => {
  const buyer = await aBuyer(shop)
  const [one, two] = [await audio({ lengthMinutes: 605 }), await eBook()]
  const [place] = await shop.db.insert(locations).values({ title: 'Coast' }).returning()
  const [tag] = await shop.db.insert(tags).values({ title: 'Tide' }).returning()
  await shop.db.insert(bookLocations).values({ bookId: one.id, locationId: place!.id })
  await shop.db.insert(bookTags).values({ bookId: one.id, tagId: tag!.id })
  const [translator] = await shop.db
    .insert(people)
    .values({ firstName: 'Ida', lastName: 'Frost', nameKey: 'ida frost' })
    .returning()
  await shop.db.update(books).set({ translatorId: translator!.id }).where(eq(books.id, one.id))
  const id = await fillBag(buyer, [one, two])
  const list = (await buyer.ask('GET', `/api/carts/${id}/cart_items`)).json()
  expect(misfits(listCartItems.reply, list)).toEqual([])
  expect(list['hydra:member']).toMatchObject([
    {
      gift: false,
      giftEmail: null,
      giftMessage: null,
      discountCode: null,
      discountPercent: null,
      geoBlocked: false,
      vat: 2,
      audioBook: {
        lengthHours: 10,
        lengthMin: 5,
        locations: [{ title: 'Coast' }],
        tags: [{ title: 'Tide' }],
        translator: { firstName: 'Ida', lastName: 'Frost', fullName: 'Ida Frost' },
      },
      eBook: null,
    },
    { vat: 0, audioBook: null, eBook: { slug: two.slug, translator: null } },
  ])
  for (const other of [visitor, await aBuyer(shop)])
    expect((await other.ask('GET', `/api/carts/${id}/cart_items`)).statusCode).toBe(404)
})

test('ENT-06: a bag has its sums', async () => {
  const buyer = await aBuyer(shop)
  const id = await fillBag(buyer, [await audio(), await eBook()])
  const bag = await bagOf(buyer, id)
  expect(misfits(getCart.reply, bag)).toEqual([])
  expect(bag).toMatchObject({ uuid: id, sumCheckedForPayment: 17.99, sumVat: 2, sumNet: 15.99, itemCount: 2 })
})

test('API-62: the bag’s holder can remove an item, once', async () => {
  const buyer = await aBuyer(shop)
  const stranger = await aBuyer(shop)
  const { slug } = await audio()
  const item = (await add(buyer, slug)).json()
  for (const other of [visitor, stranger])
    expect((await other.ask('DELETE', `/api/cart_items/${item.uuid}`)).statusCode).toBe(404)
  expect((await buyer.ask('DELETE', `/api/cart_items/${item.uuid}`)).statusCode).toBe(204)
  expect((await buyer.ask('DELETE', `/api/cart_items/${item.uuid}`)).statusCode).toBe(404)
  expect((await bagOf(buyer, item.cart.uuid)).itemCount).toBe(0)
})

test('API-63: PATCH changes the fields that are sent, PUT clears the others, and only a gift has an email', async () => {
  const item = (await add(visitor, (await audio()).slug)).json()
  const change = async (method: 'PATCH' | 'PUT', payload: object) =>
    visitor.ask(method, `/api/cart_items/${item.uuid}`, payload)
  const gift = { gift: true, giftEmail: ' a.friend@post.example ', giftMessage: 'For you\nand the cat' }
  expect((await change('PATCH', gift)).json()).toMatchObject({ ...gift, giftEmail: 'a.friend@post.example' })
  expect((await change('PATCH', { giftMessage: null })).json()).toMatchObject({
    gift: true,
    giftEmail: 'a.friend@post.example',
    giftMessage: null,
  })
  expect((await change('PUT', { gift: true })).json()).toMatchObject({ gift: true, giftEmail: null })
  await change('PATCH', gift)
  expect((await change('PATCH', { gift: false })).json()).toMatchObject({
    gift: false,
    giftEmail: null,
    giftMessage: null,
  })
})

test('a gift’s email must be a valid address, and its message has at most 1000 characters', async () => {
  const item = (await add(visitor, (await audio()).slug)).json()
  for (const giftEmail of [
    'nobody',
    'a@b',
    'a b@c.example',
    'a@c.example\r\nBcc: d@e.example',
    '"a"@b.example',
  ]) {
    const answer = await visitor.ask('PATCH', `/api/cart_items/${item.uuid}`, { gift: true, giftEmail })
    expect([answer.statusCode, answer.json().violations?.[0].message]).toEqual([422, 'Invalid email'])
  }
  const long = { gift: true, giftMessage: 'x'.repeat(1001) }
  expect((await visitor.ask('PATCH', `/api/cart_items/${item.uuid}`, long)).statusCode).toBe(422)
})

test('a bag sends gifts if a title that is a gift, or can only be one, has an address', async () => {
  const buyer = await aBuyer(shop)
  const [book, owned] = [await audio(), await audio()]
  await inLibrary(shop, buyer.user, owned)
  const item = (await add(buyer, book.slug)).json()
  const sends = () => hasGiftByEmail(shop.db, item.cart.uuid, buyer.user.id)
  const give = (id: string, gift: boolean, giftEmail: string | null) =>
    buyer.ask('PATCH', `/api/cart_items/${id}`, { gift, giftEmail })
  expect(await sends()).toBe(false)
  await give(item.uuid, true, null)
  expect(await sends()).toBe(false)
  await give(item.uuid, true, 'a.friend@post.example')
  expect(await sends()).toBe(true)
  await give(item.uuid, false, null)
  const theirs = (await add(buyer, owned.slug)).json()
  expect(await sends()).toBe(false)
  await give(theirs.uuid, true, 'a.friend@post.example')
  expect(await sends()).toBe(true)
})

test('a title that the buyer owns can only be a gift', async () => {
  const buyer = await aBuyer(shop)
  const book = await audio()
  await inLibrary(shop, buyer.user, book)
  const item = (await add(buyer, book.slug)).json()
  expect(item).toMatchObject({ gift: true, audioBook: { inLibrary: true } })
  expect((await buyer.ask('PATCH', `/api/cart_items/${item.uuid}`, { gift: false })).json().gift).toBe(true)
})

test('a title that is not for sale cannot be added, and the response says why', async () => {
  const abroad = await aBuyer(shop, { countryCode: 'US' })
  const told = async (who: Pick<Buyer, 'ask'>, slug: string) => {
    const answer = await add(who, slug)
    return [answer.statusCode, answer.json().message]
  }
  expect(await told(visitor, (await audio({ published: false })).slug)).toEqual([422, 'Not available'])
  expect(await told(visitor, (await audio({ embargoed: true })).slug)).toEqual([422, 'Not available'])
  expect(await told(abroad, (await audio({ blockedCountries: ['US'] })).slug)).toEqual([
    422,
    'Not available in your region',
  ])
  expect((await told(visitor, (await audio({ priceMinor: 0 })).slug))[0]).toBe(422)
  expect((await told(visitor, 'no-such-book'))[0]).toBe(404)
  const both = { audioBook: '/api/audio_books/a', eBook: '/api/e_books/a' }
  for (const body of [{}, both])
    expect((await visitor.ask('POST', '/api/cart_items', body)).statusCode).toBe(400)
})

test('a bag holds a limited number of titles', async () => {
  const buyer = await aBuyer(shop)
  const cart = await fillBag(buyer, [await audio()])
  const titles = await Promise.all(Array.from({ length: BAG_SIZE }, () => eBook()))
  await shop.db.insert(cartItems).values(titles.slice(1).map(({ id }) => ({ cartId: cart, bookId: id })))
  expect((await add(buyer, (await audio()).slug)).statusCode).toBe(422)
})

test('API-64 API-18 trap 29: bags are merged once, and the response says what happened to each title', async () => {
  const buyer = await aBuyer(shop)
  const [both, guests, saved, owned] = [
    await audio({ title: 'In both' }),
    await audio({ title: 'The guest’s' }),
    await audio({ title: 'Saved' }),
    await audio({ title: 'Owned' }),
  ]
  await inLibrary(shop, buyer.user, owned)
  const own = await fillBag(buyer, [both, saved])
  const cart = (await add(visitor, both.slug)).json().cart
  for (const { slug } of [guests, owned]) await add(visitor, slug, { cart: cart['@id'] })

  const answers = await Promise.all([
    buyer.ask('POST', `/api/carts/${cart.uuid}/apply-user`),
    buyer.ask('POST', `/api/users/${buyer.user.id}/cart-update`, { cartUuid: cart.uuid }),
  ])
  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(misfits(applyUser.reply, answer.json())).toEqual([])
    expect(answer.json()).toMatchObject({ uuid: own, itemCount: 4 })
  }
  const said = answers.map((answer) => answer.json().merged)
  expect(said).toContainEqual({
    added: ['The guest’s', 'Owned'],
    alreadyInBag: ['In both'],
    becameGifts: ['Owned'],
  })
  expect(said).toContainEqual({ added: [], alreadyInBag: [], becameGifts: [] })
  expect((await visitor.ask('GET', `/api/carts/${cart.uuid}`)).statusCode).toBe(404)
})

test('API-64: an owned title that the guest marked as a gift is not reported as turned into one; the account’s code stays, else it gets the guest’s', async () => {
  const owned = await audio({ title: 'Owned' })
  const joined = async (ownCode: string | null, asGift: boolean) => {
    const buyer = await aBuyer(shop)
    await inLibrary(shop, buyer.user, owned)
    const apply = (who: Pick<Buyer, 'ask'>, id: string, couponCode: string | null) =>
      who.ask('PATCH', `/api/carts/${id}/apply-coupon`, { couponCode })
    await apply(buyer, await fillBag(buyer, [await audio()]), ownCode)
    const { cart } = (await add(visitor, owned.slug, { gift: asGift })).json()
    await apply(visitor, cart.uuid, 'CHEAPEST')
    const { merged, discount } = (await buyer.ask('POST', `/api/carts/${cart.uuid}/apply-user`)).json()
    // The title stays a gift, also after it leaves the library.
    await shop.db.delete(libraryEntries).where(eq(libraryEntries.userId, buyer.user.id))
    const { items } = (await buyer.ask('GET', '/api/carts/own')).json()
    expect(items.map(({ gift }: { gift: boolean }) => gift)).toEqual([false, true])
    return [merged.becameGifts, discount.discount_code]
  }
  expect(await joined('TENTH', true)).toEqual([[], 'TENTH'])
  expect(await joined(null, false)).toEqual([['Owned'], 'CHEAPEST'])
})

test('API-64: a guest bag becomes the bag of an account without one, and no other caller can open it', async () => {
  const [buyer, stranger] = [await aBuyer(shop), await aBuyer(shop)]
  const cart = (await add(visitor, (await audio()).slug)).json().cart
  expect((await visitor.ask('POST', `/api/carts/${cart.uuid}/apply-user`)).statusCode).toBe(401)
  expect((await buyer.ask('POST', `/api/carts/${cart.uuid}/apply-user`)).json()).toMatchObject({
    uuid: cart.uuid,
    itemCount: 1,
  })
  expect((await stranger.ask('POST', `/api/carts/${cart.uuid}/apply-user`)).statusCode).toBe(404)
  expect((await stranger.ask('POST', `/api/carts/${randomUUID()}/apply-user`)).statusCode).toBe(404)
  expect((await visitor.ask('GET', `/api/carts/${cart.uuid}`)).statusCode).toBe(404)
  const someone = { cartUuid: cart.uuid }
  expect((await stranger.ask('POST', `/api/users/${buyer.user.id}/cart-update`, someone)).statusCode).toBe(
    404,
  )
})

test('an account’s bag is also found by the account’s id, even if the bag has another id; other accounts cannot use it', async () => {
  const [buyer, stranger] = [await aBuyer(shop), await aBuyer(shop)]
  const { cart } = (await add(visitor, (await audio()).slug)).json()
  await buyer.ask('POST', `/api/carts/${cart.uuid}/apply-user`)
  const own = { cart: `/api/carts/${buyer.user.id.toUpperCase()}` }
  expect((await add(buyer, (await audio()).slug, own)).json()).toMatchObject({ cart: { uuid: cart.uuid } })
  expect((await add(stranger, (await audio()).slug, own)).statusCode).toBe(404)
  expect((await add(stranger, (await audio()).slug, { cart: cart['@id'] })).statusCode).toBe(404)
  const list = (await buyer.ask('GET', `/api/carts/${buyer.user.id}/cart_items`)).json()
  expect(list['hydra:totalItems']).toBe(2)
  // All items are on one page.
  expect(list['hydra:view']).toBeUndefined()
})

test('trap 29: two guest bags that are merged concurrently both end up in the account’s bag', async () => {
  const buyer = await aBuyer(shop)
  const carts = await Promise.all(
    [await audio({ title: 'One' }), await audio({ title: 'Two' })].map(
      async ({ slug }) => (await add(visitor, slug)).json().cart.uuid as string,
    ),
  )
  await Promise.all(carts.map((id) => buyer.ask('POST', `/api/carts/${id}/apply-user`)))
  const { json } = await buyer.ask('GET', '/api/carts/own')
  expect(json().itemCount).toBe(2)
})

test('API-66 DISC-11: a code stays with the bag until it is removed; the response says why a code cannot be used', async () => {
  const buyer = await aBuyer(shop)
  const id = await fillBag(buyer, [await audio(), await eBook()])
  const apply = (couponCode: string | null) =>
    buyer.ask('PATCH', `/api/carts/${id}/apply-coupon`, { couponCode })
  expect((await apply(' tenth ')).json()).toMatchObject({
    sumCheckedForPayment: 17,
    sumBeforeDiscount: 17.99,
    discount: { discount_code: 'TENTH', relative_discount: 10, saved: 0.99, rounded: true },
    items: [
      {
        price: 12,
        discountCode: 'TENTH',
        discountPercent: 10,
        discountPrice: 11.34,
        audioBook: { discountPrice: 11.34 },
      },
      { price: 5.99, discountCode: 'TENTH', discountPrice: 5.66, eBook: { discountPrice: 5.66 } },
    ],
  })
  for (const [code, reason] of [
    ['NOSUCHCODE', 'This discount code is not valid'],
    ['ENDED', 'This discount code is not valid'],
    ['MEMBERS', 'This discount code is not valid'],
  ] as const) {
    const refused = await apply(code)
    expect([refused.statusCode, refused.json().message], code).toEqual([422, reason])
  }
  expect((await bagOf(buyer, id)).discount.discount_code).toBe('TENTH')
  expect((await apply('CHEAPEST')).json()).toMatchObject({
    sumCheckedForPayment: 12,
    items: [
      { discountCode: null, discountPrice: null },
      { discountCode: 'CHEAPEST', discountPrice: 0 },
    ],
  })
  expect((await apply(null)).json()).toMatchObject({ discount: null, sumCheckedForPayment: 17.99 })
})

test('a code for one use per account is refused as already used, also in a bag that a guest filled', async () => {
  const buyer = await aBuyer(shop)
  await shop.db.insert(discountUses).values({ code: 'ONCE', userId: buyer.user.id })
  const cart = (await add(visitor, (await audio()).slug)).json().cart.uuid
  const applied = await visitor.ask('PATCH', `/api/carts/${cart}/apply-coupon`, { couponCode: 'ONCE' })
  expect(applied.json().discount.discount_code).toBe('ONCE')
  expect((await buyer.ask('POST', `/api/carts/${cart}/apply-user`)).json()).toMatchObject({
    discount: null,
    discountMessage: 'This discount code was already used',
    sumCheckedForPayment: 12,
  })
  const again = await buyer.ask('PATCH', `/api/carts/${cart}/apply-coupon`, { couponCode: 'ONCE' })
  expect(again.json()).toMatchObject({ status: 422, reason: 'discount_already_used' })
})

test('ROLE-11: a member’s bag has the member’s price of each book, per line and in total', async () => {
  const member = await aBuyer(shop)
  const inTenDays = new Date(shop.now().getTime() + 10 * 86_400_000)
  await shop.db.insert(subscriptions).values({
    userId: member.user.id,
    status: 'active',
    plan: 4,
    periodStart: shop.clock.now(),
    periodEnd: inTenDays,
    validUntil: inTenDays,
  })
  const book = await audio()
  const { uuid } = (await add(member, book.slug)).json().cart
  const { subscriptionPrice, price } = (await member.ask('GET', `/api/audio_books/${book.slug}`)).json()
  expect(subscriptionPrice).toBeLessThan(price)
  expect((await member.ask('GET', `/api/carts/${uuid}`)).json()).toMatchObject({
    sumCheckedForPayment: subscriptionPrice,
    items: [{ price: subscriptionPrice, audioBook: { price, subscriptionPrice } }],
  })
})

test('guessing codes is limited', async () => {
  const guesser = await aBuyer(shop)
  const statuses = new Set<number>()
  for (let guess = 0; guess < 22; guess++)
    statuses.add((await guesser.ask('GET', `/api/discounts/GUESS${guess}`)).statusCode)
  expect(statuses).toEqual(new Set([404, 429]))
  // Over the limit a correct code gets the same response as a wrong one everywhere.
  expect((await guesser.ask('GET', '/api/discounts/TENTH')).statusCode).toBe(429)
  const { uuid } = (await add(guesser, (await audio()).slug)).json().cart
  for (const couponCode of ['TENTH', 'GUESS']) {
    const applied = await guesser.ask('PATCH', `/api/carts/${uuid}/apply-coupon`, { couponCode })
    const checkedOut = await guesser.ask('POST', `/api/carts/${uuid}/checkout`, { couponCode, waiver: true })
    expect([applied.statusCode, checkedOut.statusCode]).toEqual([429, 429])
  }
  expect((await guesser.ask('GET', `/api/carts/${uuid}`)).json().discount).toBeNull()
})

test('a visitor who guesses too often in a bag is refused the correct code too, also with concurrent requests', async () => {
  const cart = (await add(visitor, (await audio()).slug)).json().cart.uuid
  const from = (couponCode: string, remoteAddress: string) =>
    shop.app.inject({
      method: 'PATCH',
      url: `/api/carts/${cart}/apply-coupon`,
      payload: { couponCode },
      remoteAddress,
    })
  const tries = Array.from({ length: 60 }, (_, guess) => from(`GUESS${guess}`, '203.0.113.7'))
  const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
  expect((await from('TENTH', '203.0.113.7')).statusCode).toBe(429)
  expect((await from('TENTH', '203.0.113.8')).statusCode).toBe(200)
})

test('a bag accepts twenty unknown codes, also one by one; a code that was already used does not count', async () => {
  const buyer = await aBuyer(shop)
  await shop.db.insert(discountUses).values({ code: 'ONCE', userId: buyer.user.id })
  const id = await fillBag(buyer, [await audio()])
  const apply = async (couponCode: string) =>
    (await buyer.ask('PATCH', `/api/carts/${id}/apply-coupon`, { couponCode })).statusCode
  for (let look = 0; look < 21; look++) expect(await apply('ONCE')).toBe(422)
  for (let guess = 0; guess < 20; guess++) expect(await apply(`GUESS${guess}`)).toBe(422)
  expect(await apply('TENTH')).toBe(429)
})

test('a known code can be looked up without limit', async () => {
  const buyer = await aBuyer(shop)
  for (let look = 0; look < 30; look++)
    expect((await buyer.ask('GET', '/api/discounts/TENTH')).statusCode).toBe(200)
  expect((await buyer.ask('GET', '/api/discounts/GUESS')).statusCode).toBe(404)
})

test('API-74 ENT-13: a code is found in upper and lower case, and an ended one is not active', async () => {
  expect((await visitor.ask('GET', '/api/discounts/tenth')).json()).toMatchObject({
    discount_code: 'TENTH',
    discount_type: 'all',
    relative_discount: 10,
    discount_amount: null,
    active: true,
  })
  expect((await visitor.ask('GET', '/api/discounts/Ended')).json().active).toBe(false)
  expect((await visitor.ask('GET', '/api/discounts/none')).statusCode).toBe(404)
})

test('API-68 API-69: titles that cannot be bought are reported, removed on request, and in no sum', async () => {
  const abroad = await aBuyer(shop, { countryCode: 'US' })
  const [sold, blocked] = [await audio(), await audio({ blockedCountries: ['US'] })]
  const cart = (await add(visitor, sold.slug)).json().cart
  await add(visitor, blocked.slug, { cart: cart['@id'] })
  expect((await visitor.ask('GET', `/api/carts/${cart.uuid}/availability`)).json()).toEqual({
    updated: false,
  })
  expect((await abroad.ask('POST', `/api/carts/${cart.uuid}/apply-user`)).json()).toMatchObject({
    blocked: true,
    sumCheckedForPayment: 12,
    items: [
      { geoBlocked: false, vat: 2 },
      { geoBlocked: true, available: false, vat: 0, discountPrice: null },
    ],
  })
  const ask = (method: 'GET' | 'POST', payload?: object) =>
    abroad.ask(method, `/api/carts/${cart.uuid}/availability`, payload)
  expect((await ask('GET')).json()).toEqual({ updated: true })
  for (let twice = 0; twice < 2; twice++)
    expect((await ask('POST', { remove: 1 })).json()).toMatchObject({ blocked: false, itemCount: 1 })
  expect((await ask('GET')).json()).toEqual({ updated: false })
})

test('one IP address can create a limited number of guest bags an hour; an existing bag still works', async () => {
  const open = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' }, database: shop.database })
  const { slug } = await audio()
  const put = (more: object = {}, address = '2001:db8::1') =>
    open.app.inject({
      method: 'POST',
      url: '/api/cart_items',
      headers: { 'x-forwarded-for': address },
      payload: { audioBook: `/api/audio_books/${slug}`, ...more },
    })
  const cart = (await put()).json().cart['@id']
  for (let bags = 1; bags < 60; bags++) expect((await put()).statusCode).toBe(201)
  expect((await put({}, '2001:db8::2')).statusCode).toBe(429)
  expect((await put({ cart })).statusCode).toBe(200)
  expect((await put({}, '2001:db8:0:1::1')).statusCode).toBe(201)
  // An account has only one bag, so accounts cannot fill the table.
  const headers = { ...(await signedIn(open, await aUser(open))), 'x-forwarded-for': '2001:db8::2' }
  const payload = { audioBook: `/api/audio_books/${slug}` }
  const own = await open.app.inject({ method: 'POST', url: '/api/cart_items', headers, payload })
  expect(own.statusCode).toBe(201)
  await open.app.close()
})

test('changing the country in the settings lifts no block: the visitor’s location counts too', async () => {
  const open = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' }, database: shop.database })
  const { slug } = await audio({ blockedCountries: ['US'] })
  const user = await aUser(open, { countryCode: 'GB' })
  const headers = { ...(await signedIn(open, user)), 'cf-ipcountry': 'US' }
  const payload = { audioBook: `/api/audio_books/${slug}` }
  const put = () => open.app.inject({ method: 'POST', url: '/api/cart_items', headers, payload })
  const book = async () => (await open.app.inject({ url: `/api/audio_books/${slug}`, headers })).json()
  expect((await put()).statusCode).toBe(422)
  expect(await book()).toMatchObject({ geoBlocked: true })
  headers['cf-ipcountry'] = 'GB'
  expect(await book()).toMatchObject({ geoBlocked: false })
  // And the reverse: the account's country counts, although the visitor is elsewhere.
  const moved = {
    method: 'PATCH',
    url: `/api/users/${user.id}`,
    headers,
    payload: { countryCode: 'US' },
  } as const
  expect((await open.app.inject(moved)).statusCode).toBe(200)
  expect((await put()).statusCode).toBe(422)
  await open.app.close()
})
