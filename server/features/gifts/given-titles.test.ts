import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { seeGivenByLink, listGivenTitles } from '#contract/given-gifts.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary, signedIn } from '#tests/support/builders.ts'
import { aCover } from '#tests/support/catalogue-builders.ts'
import { anAccountOf, aRecipient, give } from '#tests/support/gifts.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { nextGiftDay, runGiftCalendar } from './gift-delivery.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  await at.shop.db.delete(rateLimits)
  giver = await aBuyer(at.shop)
})
afterAll(() => at.shop.close())

/** Buys two titles: one of £7.50 for the recipient, and one of £9.00 for the giver. */
async function given(giftEmail: string, couponCode: string | null = null) {
  const coverId = await aCover(at.shop, randomUUID().replaceAll('-', ''))
  const [book, own] = [
    await anAudioBook(at.shop, { priceMinor: 750, title: 'Given', coverId }),
    await anAudioBook(at.shop, { priceMinor: 900, title: 'Kept' }),
  ]
  const cart = await fillBag(giver, [
    { ...book, kind: 'audio_books', giftEmail },
    { ...own, kind: 'audio_books' },
  ])
  const checkout = await checkOut(giver, cart, couponCode)
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  const covers = [
    {
      picture: `/media/covers/${coverId.slice(0, 2)}/${coverId}-330.jpg`,
      ratio: 1,
      title: 'Given',
      to: `/audiobooks/${book.slug}`,
    },
  ]
  return { book, covers, ...checkout, ...(await secretsOf(giftEmail)) }
}

/** The token and code in the recipient's newest email. */
async function secretsOf(email: string): Promise<{ token: string; code: string }> {
  const sent = await at.shop.db.select().from(mails).where(eq(mails.recipient, email))
  const newest = sent.findLast(({ kind }) => kind === 'gift_book')
  return newest!.data as { token: string; code: string }
}
const list = async (who = giver) => (await who.ask('GET', '/api/gifts/given')).json()
const mine = async () => (await list())['hydra:member'][0]
/** Lets the email of the newest gift fail. Returns the gift's id. */
async function undelivered(): Promise<string> {
  const { id } = await mine()
  await at.shop.db
    .update(mails)
    .set({ failedAt: at.shop.now(), sentAt: null })
    .where(like(mails.key, `gift_book:${id}%`))
  return id
}
const see = (secret: string) => at.shop.app.inject(`/api/audio_books/claim/${secret}`)
const claim = (who: Buyer, token: string) => who.ask('POST', `/api/audio_books/claim/${token}`)
const mailsTo = async (email: string, kind: string) =>
  (await at.shop.db.select().from(mails).where(eq(mails.recipient, email))).filter(
    (mail) => mail.kind === kind,
  )

test('a given book is listed for its giver with the price, the recipient and the possible actions', async () => {
  const email = aRecipient()
  const { order, book } = await given(email)
  const listed = await list()
  expect(misfits(listGivenTitles.reply, listed)).toEqual([])
  expect(listed['hydra:member']).toMatchObject([
    { title: 'Given', slug: book.slug, format: 'audiobook', state: 'delivered', giftEmail: email, order },
  ])
  expect(await mine()).toMatchObject({ amount: 7.5, changeable: true, takeBack: { amount: 7.5 } })
})

test('GIFT-19: a corrected gift is emailed to the new address; the old link says so and no longer opens it', async () => {
  const [wrong, right] = [aRecipient(), aRecipient()]
  const { token, code, order } = await given(wrong)
  const { id } = await mine()
  const answer = await giver.ask('PATCH', `/api/gifts/given/${id}`, {
    giftEmail: right,
    giftMessage: 'For you',
  })
  expect(answer.json()).toMatchObject({ giftEmail: right, giftMessage: 'For you', changeable: true })
  const receipt = (await giver.ask('GET', `/api/order_carts/${order}`)).json()
  expect(receipt.orderItems.map((item: { giftEmail: string | null }) => item.giftEmail)).toContain(right)
  expect(JSON.stringify(receipt)).not.toContain(wrong)
  const stranger = await anAccountOf(at.shop, wrong)
  for (const old of [token, code]) {
    expect((await see(old)).json().message).toMatch('A new link was sent')
    expect((await claim(stranger, old)).statusCode).toBe(422)
  }
  const friend = await anAccountOf(at.shop, right)
  const fresh = await secretsOf(right)
  expect((await see(fresh.code)).json()).toMatchObject({ giftEmail: right, giftMessage: 'For you' })
  expect((await claim(friend, fresh.token)).statusCode).toBe(200)
  const late = await giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: wrong })
  expect([late.statusCode, late.json().message]).toEqual([422, 'This gift has already been opened.'])
})

test('GIFT-13: a given book cannot be corrected to an account that owns it', async () => {
  const { book } = await given(aRecipient())
  const owner = await aBuyer(at.shop)
  await inLibrary(at.shop, owner.user, book)
  const { id, giftEmail } = await mine()
  const refused = await giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: owner.user.email })
  expect([refused.statusCode, refused.json().violations?.[0]?.message]).toEqual([
    422,
    'Already have this book',
  ])
  expect((await mine()).giftEmail).toBe(giftEmail)
})

test('a given book is sent again under a new link, five times a day', async () => {
  const email = aRecipient()
  const { token } = await given(email)
  const { id } = await mine()
  const again = async () => (await giver.ask('POST', `/api/gifts/given/${id}/send-again`, {})).statusCode
  expect(await again()).toBe(200)
  expect((await see(token)).statusCode).toBe(422)
  expect((await see((await secretsOf(email)).token)).statusCode).toBe(200)
  for (let more = 0; more < 4; more++) expect(await again()).toBe(200)
  expect(await again()).toBe(429)
})

test('taking back a given book within 14 days refunds its price once and disables its link', async () => {
  const email = aRecipient()
  const { token, code, intent, order } = await given(email)
  const { id } = await mine()
  for (let twice = 0; twice < 2; twice++) {
    const answer = await giver.ask('POST', `/api/gifts/given/${id}/take-back`, {})
    expect(answer.json()).toMatchObject({ state: 'refunded', changeable: false, takeBack: null })
  }
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(750)
  const friend = await anAccountOf(at.shop, email)
  for (const dead of [token, code]) expect((await claim(friend, dead)).statusCode).toBe(404)
  expect((await friend.ask('GET', '/api/gifts')).json()['hydra:totalItems']).toBe(0)
  const lines = (await giver.ask('GET', `/api/order_carts/${order}`)).json().orderItems
  expect(
    lines.map((line: { gift: boolean; refundedAt: unknown }) => [line.gift, line.refundedAt !== null]),
  ).toEqual([
    [true, true],
    [false, false],
  ])
  // The giver never owned it, so their library is unchanged.
  const [told] = await mailsTo(giver.user.email, 'title_refunded')
  expect(told!.data).toMatchObject({ amountMinor: 750, titles: [] })
  expect((await giver.ask('POST', `/api/gifts/given/${id}/send-again`, {})).statusCode).toBe(422)
})

test('a given book cannot be taken back after 14 days or once it is opened', async () => {
  const { token } = await given(aRecipient())
  const { id, giftEmail } = await mine()
  const takeBack = () => giver.ask('POST', `/api/gifts/given/${id}/take-back`, {})
  await at.shop.db
    .update(gifts)
    .set({ givenAt: new Date(at.shop.clock.now().getTime() - 14 * 86_400_000) })
    .where(eq(gifts.id, id))
  expect((await mine()).takeBack).toBeNull()
  expect((await takeBack()).json().message).toBe('It’s too late to take this gift back.')
  await at.shop.db.update(gifts).set({ givenAt: at.shop.clock.now() }).where(eq(gifts.id, id))
  await claim(await anAccountOf(at.shop, giftEmail), token)
  expect((await takeBack()).json().message).toBe('This gift has already been opened.')
})

test('a correction that changes nothing is accepted even for an opened gift, and sends no email', async () => {
  const email = aRecipient()
  const { token } = await given(email)
  const { id } = await mine()
  await claim(await anAccountOf(at.shop, email), token)
  const mailed = await at.shop.db.$count(mails)
  const same = await giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: email })
  expect([same.statusCode, await at.shop.db.$count(mails)]).toEqual([200, mailed])
  const other = await giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: aRecipient() })
  expect(other.statusCode).toBe(422)
})

test('the giver of a book gets one email when it is opened; it has the cover, as the gift and the receipt have', async () => {
  const email = aRecipient()
  const { token, covers } = await given(email)
  const friend = await anAccountOf(at.shop, email)
  for (let twice = 0; twice < 2; twice++) await claim(friend, token)
  const told = await mailsTo(giver.user.email, 'gift_book_opened')
  expect(told.map(({ data }) => data)).toEqual([{ title: 'Given', recipient: email, covers }])
  for (const [to, kind] of [
    [email, 'gift_book'],
    [giver.user.email, 'order_confirmed'],
  ] as const)
    expect((await mailsTo(to, kind))[0]!.data, kind).toMatchObject({ covers })
})

test('the giver of a book gets one email when the delivery fails, and can correct the address by its link', async () => {
  const email = aRecipient()
  await given(email)
  const id = await undelivered()
  for (let twice = 0; twice < 2; twice++) await runGiftCalendar(at.shop)
  const told = await mailsTo(giver.user.email, 'gift_book_failed')
  expect(told).toHaveLength(1)
  expect(await mine()).toMatchObject({ state: 'failed', changeable: true })
  const { giverToken } = told[0]!.data as { giverToken: string }
  const right = aRecipient()
  const corrected = await at.shop.app.inject({
    method: 'PATCH',
    url: `/api/gifts/given-by-link/${giverToken}`,
    payload: { giftEmail: right },
  })
  expect(corrected.json()).toMatchObject({
    title: { id, giftEmail: right, state: 'delivered' },
    membership: null,
  })
})

test('a gift that is taken back before its failed delivery is recorded does not count as failed', async () => {
  const email = aRecipient()
  await given(email)
  const id = await undelivered()
  let recorded: Promise<unknown> | undefined
  await at.shop.db.transaction(async (tx) => {
    await tx.update(gifts).set({ takenBackAt: at.shop.clock.now() }).where(eq(gifts.id, id))
    recorded = runGiftCalendar(at.shop)
    const waiting = async () =>
      (await at.shop.database.pool.query('select 1 from pg_locks where not granted')).rowCount
    await expect.poll(waiting).toBeGreaterThan(0)
  })
  await recorded
  const [gift] = await at.shop.db.select().from(gifts).where(eq(gifts.id, id))
  expect(gift!.failedAt).toBeNull()
  expect(await mailsTo(giver.user.email, 'gift_book_failed')).toEqual([])
})

test('the link in a giver’s email opens only that gift, without a log-in; a forged link opens nothing', async () => {
  const email = aRecipient()
  const { intent } = await given(email)
  const [receipt] = await mailsTo(giver.user.email, 'order_confirmed')
  const { giverToken } = receipt!.data as { giverToken: string }
  const byLink = (path = '', token = giverToken) => `/api/gifts/given-by-link/${token}${path}`
  const seen = await at.shop.app.inject(byLink())
  expect(misfits(seeGivenByLink.reply, seen.json())).toEqual([])
  expect(seen.json().title).toEqual(await mine())
  const [first, rest] = [giverToken.slice(0, 1), giverToken.slice(1)]
  for (const forged of [`m${rest}`, `${first}${'0'.repeat(32)}${rest.slice(32)}`, 'none'])
    expect((await at.shop.app.inject(byLink('', forged))).statusCode).toBe(404)
  const post = (path: string) => at.shop.app.inject({ method: 'POST', url: byLink(path), payload: {} })
  expect((await post('/send-again')).statusCode).toBe(200)
  expect((await post('/take-back')).json().title).toMatchObject({ state: 'refunded' })
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(750)
})

test('a giver without an account can correct and take back a given membership by the link in their email', async () => {
  const email = aRecipient()
  const { intent } = await give(at, giver, { giftEmail: email })
  const [mail] = await mailsTo(giver.user.email, 'gift_membership_given')
  const { giverToken } = mail!.data as { giverToken: string }
  const url = `/api/gifts/given-by-link/${giverToken}`
  const right = aRecipient()
  const corrected = await at.shop.app.inject({ method: 'PATCH', url, payload: { giftEmail: right } })
  expect(corrected.json()).toMatchObject({ title: null, membership: { giftEmail: right } })
  const back = await at.shop.app.inject({ method: 'POST', url: `${url}/take-back`, payload: {} })
  expect(back.json().membership).toMatchObject({ state: 'refunded' })
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
})

/** Buys one title for the recipient, to arrive on the day ten days from now, in Auckland. */
async function givenForADay(giftEmail: string) {
  const day = DateTime.fromJSDate(at.shop.clock.now(), { zone: AUCKLAND }).plus({ days: 10 })
  const book = await anAudioBook(at.shop, { priceMinor: 750, title: 'Given' })
  const gift = { giftEmail, giftDeliveryDate: day.toISODate()!, giftTimeZone: AUCKLAND }
  const cart = await fillBag(giver, [{ ...book, kind: 'audio_books', ...gift }])
  const checkout = await checkOut(giver, cart)
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  return { ...gift, ...checkout, morning: day.set({ hour: 8, minute: 0, second: 0, millisecond: 0 }) }
}
const AUCKLAND = 'Pacific/Auckland'

/** Logs in again: a session doesn't outlive the days that these tests skip. */
const later = (who: Buyer): Buyer => ({
  ...who,
  ask: async (method, url, payload = {}) =>
    at.shop.app.inject({
      method,
      url,
      headers: await signedIn(at.shop, who.user),
      ...(method === 'GET' ? {} : { payload }),
    }),
})

test('GIFT-24: a title given for a day arrives at 8 a.m. in the giver’s zone, once, and can’t be opened before', async () => {
  const email = aRecipient()
  const { giftDeliveryDate, morning, order } = await givenForADay(email)
  expect(await mine()).toMatchObject({ state: 'scheduled', giftDeliveryDate, sentAt: null, changeable: true })
  const friend = await anAccountOf(at.shop, email)
  const { id } = await mine()
  await runGiftCalendar(at.shop)
  expect(await mailsTo(email, 'gift_book')).toEqual([])
  expect((await friend.ask('GET', '/api/gifts')).json()['hydra:totalItems']).toBe(0)
  expect((await friend.ask('POST', `/api/gifts/${id}/claim`, {})).statusCode).toBe(404)
  expect((await giver.ask('POST', `/api/gifts/given/${id}/send-again`, {})).json().message).toBe(
    'Its day hasn’t come yet.',
  )
  const [receipt] = await mailsTo(giver.user.email, 'order_confirmed')
  expect(receipt!.data).toMatchObject({ lines: [{ giftOn: expect.stringContaining(String(morning.year)) }] })
  const { orderItems } = (await giver.ask('GET', `/api/order_carts/${order}`)).json()
  expect(orderItems[0]).toMatchObject({ giftDeliveryDate })

  expect(await nextGiftDay(at.shop, at.shop.clock.now())).toEqual(morning.toJSDate())
  at.shop.clock.set(morning.minus({ seconds: 1 }).toISO()!)
  await runGiftCalendar(at.shop)
  expect(await mailsTo(email, 'gift_book')).toEqual([])
  at.shop.clock.set(morning.toISO()!)
  for (let twice = 0; twice < 2; twice++) await runGiftCalendar(at.shop)
  expect(await mailsTo(email, 'gift_book')).toHaveLength(1)
  expect((await list(later(giver)))['hydra:member'][0]).toMatchObject({ state: 'delivered' })
  expect((await later(friend).ask('GET', '/api/gifts')).json()['hydra:totalItems']).toBe(1)
  expect((await claim(later(friend), (await secretsOf(email)).token)).statusCode).toBe(200)
})

test('month: the day of a title can be moved until it was sent, and it is refunded until 14 days after its day', async () => {
  const email = aRecipient()
  const { giftDeliveryDate, giftTimeZone, morning, intent } = await givenForADay(email)
  const { id } = await mine()
  const correct = (change: object, who = giver) => who.ask('PATCH', `/api/gifts/given/${id}`, change)
  const nextDay = morning.plus({ days: 1 }).toISODate()!
  const right = aRecipient()
  expect((await correct({ giftDeliveryDate: nextDay, giftTimeZone, giftEmail: right })).json()).toMatchObject(
    {
      ...{ giftDeliveryDate: nextDay, giftEmail: right, state: 'scheduled' },
    },
  )
  const gone = await correct({ giftDeliveryDate: '2020-01-01', giftTimeZone })
  expect([gone.statusCode, gone.json().violations[0].propertyPath]).toEqual([422, 'giftDeliveryDate'])
  at.shop.clock.set(morning.plus({ days: 1 }).toISO()!)
  await runGiftCalendar(at.shop)
  expect([await mailsTo(email, 'gift_book'), (await mailsTo(right, 'gift_book')).length]).toEqual([[], 1])
  expect((await correct({ giftDeliveryDate, giftTimeZone }, later(giver))).statusCode).toBe(422)
  // The day that it was sent on is no change.
  const same = await correct({ giftDeliveryDate: nextDay, giftTimeZone }, later(giver))
  expect([same.statusCode, (await mailsTo(right, 'gift_book')).length]).toEqual([200, 1])
  at.shop.clock.set(
    morning
      .plus({ days: 1 })
      .plus({ hours: 14 * 24 - 1 })
      .toISO()!,
  )
  const back = await later(giver).ask('POST', `/api/gifts/given/${id}/take-back`, {})
  expect(back.json()).toMatchObject({ state: 'refunded' })
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(750)
})

test('GIFT-24: a title whose day is moved to today is sent at once, and its address can be corrected after its day', async () => {
  const [email, right] = [aRecipient(), aRecipient()]
  await givenForADay(email)
  const { id } = await mine()
  const noon = DateTime.fromJSDate(at.shop.clock.now(), { zone: AUCKLAND })
    .plus({ days: 1 })
    .set({ hour: 12 })
  const correct = async (change: object) =>
    (await later(giver).ask('PATCH', `/api/gifts/given/${id}`, change)).json()
  at.shop.clock.set(noon.toISO()!)
  expect(await correct({ giftDeliveryDate: noon.toISODate()! })).toMatchObject({ state: 'delivered' })
  expect(await mailsTo(email, 'gift_book')).toHaveLength(1)
  at.shop.clock.set(noon.plus({ days: 2 }).toISO()!)
  expect(await correct({ giftEmail: right })).toMatchObject({ giftEmail: right })
  expect(await mailsTo(right, 'gift_book')).toHaveLength(1)
})

test('GIFT-24: a corrected day of a title keeps the giver’s time zone, and a corrected zone keeps the day', async () => {
  const { giftDeliveryDate, morning } = await givenForADay(aRecipient())
  const { id, giftTimeZone } = await mine()
  const corrected = async (change: object) =>
    (await giver.ask('PATCH', `/api/gifts/given/${id}`, change)).json()
  const nextDay = morning.plus({ days: 1 }).toISODate()!
  const moved = { giftDeliveryDate: nextDay, giftTimeZone }
  expect(await corrected({ giftDeliveryDate: nextDay })).toMatchObject(moved)
  const zone = giftTimeZone === 'Asia/Tokyo' ? 'Asia/Seoul' : 'Asia/Tokyo'
  expect(giftDeliveryDate).not.toBe(nextDay)
  expect(await corrected({ giftTimeZone: zone })).toMatchObject({ ...moved, giftTimeZone: zone })
})

test('month: a title taken back before its day is never sent', async () => {
  const email = aRecipient()
  const { morning } = await givenForADay(email)
  const { id } = await mine()
  expect((await giver.ask('POST', `/api/gifts/given/${id}/take-back`, {})).json().state).toBe('refunded')
  at.shop.clock.set(morning.plus({ days: 1 }).toISO()!)
  await runGiftCalendar(at.shop)
  expect(await mailsTo(email, 'gift_book')).toEqual([])
})

test('month: a day in the bag must be today or later, belongs to a gift only, and is cleared with it', async () => {
  const book = await anAudioBook(at.shop, { priceMinor: 750 })
  const cart = await fillBag(giver, [{ ...book, kind: 'audio_books' }])
  const item = async () => (await giver.ask('GET', `/api/carts/${cart}`)).json().items[0]
  const { uuid } = await item()
  const change = (body: object) => giver.ask('PATCH', `/api/cart_items/${uuid}`, body)
  const giftDeliveryDate = DateTime.fromJSDate(at.shop.clock.now()).plus({ days: 3 }).toISODate()!
  const refused = async (body: object) =>
    (await change({ gift: true, ...body })).json().violations?.[0]?.propertyPath
  expect(await refused({ giftDeliveryDate: '2020-01-01' })).toBe('giftDeliveryDate')
  expect(await refused({ giftDeliveryDate, giftTimeZone: 'Mars/Olympus' })).toBe('giftTimeZone')
  await change({ gift: false, giftDeliveryDate })
  expect((await item()).giftDeliveryDate).toBeNull()
  await change({ gift: true, giftDeliveryDate })
  await change({ giftMessage: 'For the crossing' })
  expect(await item()).toMatchObject({ giftDeliveryDate, giftMessage: 'For the crossing' })
  await change({ gift: false })
  await change({ gift: true })
  expect((await item()).giftDeliveryDate).toBeNull()
})

test('every request for another giver’s book returns 404', async () => {
  await given(aRecipient())
  const { id } = await mine()
  const other = await aBuyer(at.shop)
  expect((await list(other))['hydra:totalItems']).toBe(0)
  const path = `/api/gifts/given/${id}`
  expect((await other.ask('PATCH', path, { giftMessage: 'x' })).statusCode).toBe(404)
  for (const act of ['send-again', 'take-back'])
    expect((await other.ask('POST', `${path}/${act}`, {})).statusCode).toBe(404)
})

test('concurrent claiming, correcting and taking back never gives both the book and the refund', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 6; round++) {
    await at.shop.db.delete(rateLimits)
    const [email, other] = [aRecipient(), aRecipient()]
    const { token, intent } = await given(email)
    const { id } = await mine()
    const friend = await anAccountOf(at.shop, email)
    const ways = [
      () => claim(friend, token),
      () => giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: other }),
      () => giver.ask('POST', `/api/gifts/given/${id}/take-back`, {}),
    ]
    // Each of them starts first in some round.
    const [first, second, third] = [0, 1, 2].map((place) => ways[(place + round) % 3]!)
    await Promise.all([first!(), second!(), third!()])
    const [row] = await at.shop.db.select().from(gifts).where(eq(gifts.id, id))
    const [isClaimed, isBack] = [row!.claimedAt !== null, row!.takenBackAt !== null]
    expect(isClaimed && isBack).toBe(false)
    expect(at.payments.made.get(intent)!.refundedMinor).toBe(isBack ? 750 : 0)
    const shelf = await at.shop.db.$count(libraryEntries, eq(libraryEntries.userId, friend.user.id))
    expect(shelf).toBe(isClaimed ? 1 : 0)
    // The first address can only claim it before the correction; a later correction is refused.
    expect(isClaimed ? row!.email : email).toBe(email)
    outcomes.add(isClaimed ? 'claimed' : isBack ? 'taken back' : 'corrected')
  }
  expect(outcomes.size).toBeGreaterThan(0)
})
