import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/account.ts'
import { exportUser } from '#contract/account-export.ts'
import { sessions, users } from '#server/db/schema/accounts.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orderLines, orders } from '#server/db/schema/orders.ts'
import { newsletterSubscribers } from '#server/db/schema/pages.ts'
import { queueMail } from '#server/integrations/mail/queue.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let user: TestUser
let headers: Record<string, string>

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
})
beforeEach(async () => {
  user = await aUser(shop, { confirmedAt: shop.now() })
  headers = { ...(await signedIn(shop, user)) }
})
afterAll(() => shop.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT'
const own = (method: Method, path: string, payload?: object, as = headers) =>
  shop.app.inject({
    method,
    url: `/api/users/${user.id}${path}`,
    headers: {
      ...as,
      ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
    },
    ...(payload ? { payload } : {}),
  })
const whoAmI = (as = headers) => shop.app.inject({ url: '/api/logged-user', headers: as })
const logIn = async (password: string) =>
  (
    await shop.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: user.email, password },
    })
  ).statusCode

const PROFILE = {
  firstName: 'Nell',
  lastName: 'Hart',
  address1: '1 Lamp Row',
  address2: 'Flat 2',
  city: 'Hull',
  county: 'East Yorkshire',
  countryCode: 'GB',
  postCode: 'HU1 1AA',
}

test('API-13: saves each of the eight fields of the profile, alone or together', async () => {
  const answer = await own('PATCH', '', PROFILE)
  expect(answer.statusCode).toBe(200)
  expect(misfits(contract.updateUser.reply, answer.json())).toEqual([])
  expect((await whoAmI()).json()).toMatchObject(PROFILE)
  for (const [name, value] of Object.entries({ ...PROFILE, countryCode: 'US', city: null })) {
    expect((await own('PATCH', '', { [name]: value })).json()[name]).toBe(value)
  }
  expect((await whoAmI()).json()).toMatchObject({ ...PROFILE, countryCode: 'US', city: null })
  expect((await own('PATCH', '', { city: '  ' })).json().city).toBeNull()
})

test('a name is one visible line of letters of any language', async () => {
  const hidden = [
    'https://evil.example',
    '<script>alert(1)</script>',
    'Nell www.evil.example',
    'nell@evil.example',
    '\u200b',
    '\u202eleN',
    'Nell\u2028Hart',
    'Nell\u200b',
    '\u3164',
    'Nell\r\nBcc: a@evil.example',
  ]
  for (const firstName of hidden) expect((await own('PATCH', '', { firstName })).statusCode).toBe(422)
  for (const firstName of ['Zoë', 'علی\u200cرضا', 'क्\u200dष', '李', 'O’Brien'])
    expect((await own('PATCH', '', { firstName })).json().firstName).toBe(firstName)
})

test('API-13: a name cannot be emptied, and no other field of the account can be written', async () => {
  for (const refused of [
    { firstName: '' },
    { lastName: '   ' },
    { countryCode: 'Britain' },
    { city: 'a\u0007b' },
  ])
    expect((await own('PATCH', '', refused)).statusCode).toBe(422)
  for (const foreign of ['email', 'passwordHash', 'outletId', 'confirmedAt', 'hasCredit'])
    expect((await own('PATCH', '', { [foreign]: 'x' })).statusCode).toBe(400)
})

test('a changed country takes effect at the next request', async () => {
  const abroad = await anAudioBook(shop, { blockedCountries: ['US'] })
  const blocked = async () =>
    (await shop.app.inject({ url: `/api/audio_books/${abroad.slug}`, headers })).json().geoBlocked
  await own('PATCH', '', { countryCode: 'GB' })
  expect(await blocked()).toBe(false)
  await own('PATCH', '', { countryCode: 'US' })
  expect(await blocked()).toBe(true)
})

test('API-14, API-15: newsletter and promotions are switched separately', async () => {
  expect((await own('PATCH', '/newsletter-update', { newsletter: true })).json()).toMatchObject({
    newsletter: true,
    promotions: false,
  })
  expect((await own('PATCH', '/promotion-update', { promotions: true })).json()).toMatchObject({
    newsletter: true,
    promotions: true,
  })
  expect((await own('PATCH', '/newsletter-update', { newsletter: false })).json().newsletter).toBe(false)
  expect((await own('PATCH', '/newsletter-update', { newsletter: 'yes' })).statusCode).toBe(400)
})

test('API-16: changing the password returns a token, ends the other sessions and sends an email', async () => {
  const elsewhere = { ...(await signedIn(shop, user)) }
  const answer = await own('PUT', '/change-password', {
    oldPassword: user.password,
    newPassword: 'a-new-password',
  })
  expect(answer.statusCode).toBe(200)
  const fresh = { xtoken: `Bearer ${answer.json().token}` }
  expect((await whoAmI(fresh)).json().uuid).toBe(user.id)
  expect((await whoAmI(elsewhere)).statusCode).toBe(401)
  expect([await logIn(user.password), await logIn('a-new-password')]).toEqual([401, 200])
  const [mail] = (await shop.app.inject(`/dev/mail.json?to=${user.email}`)).json()
  expect(mail.subject).toBe('Your Murmur password was changed')
})

test('API-16: a wrong old password changes nothing, and the number of guesses is limited', async () => {
  const change = (oldPassword: string, newPassword = 'a-new-password') =>
    own('PUT', '/change-password', { oldPassword, newPassword })
  expect((await change(user.password, 'short')).statusCode).toBe(422)
  const wrong = await change('not-it')
  expect(wrong.statusCode).toBe(422)
  expect(wrong.json().violations[0].propertyPath).toBe('oldPassword')
  for (let n = 0; n < 4; n += 1) await change('not-it')
  expect((await change(user.password)).statusCode).toBe(429)
  expect(await logIn(user.password)).toBe(200)
  shop.clock.advance(16 * 60)
  expect((await change(user.password)).statusCode).toBe(200)
})

async function anOrder() {
  const book = await anAudioBook(shop, { title: 'Kept Bells' })
  await inLibrary(shop, user, book)
  const [order] = await shop.db
    .insert(orders)
    .values({
      userId: user.id,
      state: 'paid',
      fingerprint: 'f',
      totalMinor: 1499,
      vatMinor: 250,
      beforeDiscountMinor: 1499,
      buyerName: 'Nell Hart',
      buyerEmail: user.email,
      countryCode: 'GB',
      paidAt: shop.clock.now(),
    })
    .returning()
  await shop.db.insert(orderLines).values({
    orderId: order!.id,
    position: 1,
    bookId: book.id,
    title: 'Kept Bells',
    originalMinor: 1499,
    priceMinor: 1499,
    vatPercent: 20,
    vatMinor: 250,
    giftEmail: 'friend@murmur.example',
    giftMessage: 'For you',
  })
  return { orderId: order!.id, book }
}

async function aGift(): Promise<string> {
  const book = await anAudioBook(shop)
  const [gift] = await shop.db
    .insert(gifts)
    .values({
      bookId: book.id,
      giverId: user.id,
      giverName: 'Nell Hart',
      email: 'greta@murmur.example',
      message: 'Yours, Nell',
      tokenHash: randomUUID(),
      codeHash: randomUUID(),
    })
    .returning()
  return gift!.id
}

test('API-17: a deleted account leaves no personal data, and its orders stay without a user', async () => {
  const { orderId } = await anOrder()
  await shop.db.insert(newsletterSubscribers).values({ email: user.email.toLowerCase() })
  await shop.app.inject({ method: 'POST', url: '/api/forgot_passwords', payload: { email: user.email } })
  const given = await aGift()
  expect((await own('POST', '/delete-account', { password: user.password })).statusCode).toBe(204)

  expect((await whoAmI()).statusCode).toBe(401)
  expect((await own('POST', '/delete-account', { password: user.password })).statusCode).toBe(401)
  expect(await logIn(user.password)).toBe(401)
  expect(await shop.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([])
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, orderId))
  expect(order).toMatchObject({
    userId: null,
    buyerName: '',
    buyerEmail: '',
    totalMinor: 1499,
    countryCode: 'GB',
  })
  // Searches every table that stores an address. Only the farewell email stays.
  const left = await shop.db.execute<{ found: number }>(sql`
    select count(*)::int as found from (
      select to_jsonb(t)::text as row from order_lines t union all select to_jsonb(t)::text from orders t
      union all select to_jsonb(t)::text from users t union all select to_jsonb(t)::text from newsletter_subscribers t
      union all select to_jsonb(t)::text from mails t where kind <> 'account_deleted'
    ) every where every.row ilike ${`%${user.email}%`} or every.row like '%friend@murmur.example%'`)
  expect(left.rows).toEqual([{ found: 0 }])
  const [gift] = await shop.db.select().from(gifts).where(eq(gifts.id, given))
  expect(gift).toMatchObject({ giverId: null, giverName: 'A friend', message: null, claimedAt: null })
  const goodbye = await shop.db.select().from(mails).where(eq(mails.recipient, user.email))
  expect(goodbye.map(({ kind }) => kind)).toEqual(['account_deleted'])
})

test('deleting an account with an unconfirmed address does not affect the emails and newsletter of that address', async () => {
  await shop.db.update(users).set({ confirmedAt: null }).where(eq(users.id, user.id))
  await shop.db.insert(newsletterSubscribers).values({ email: user.email.toLowerCase() })
  const key = `password_changed:${randomUUID()}`
  await queueMail(shop.db, { to: user.email, key, kind: 'password_changed', data: { firstName: 'Ada' } })
  expect((await own('POST', '/delete-account', { password: user.password })).statusCode).toBe(204)

  const [mail] = await shop.db.select().from(mails).where(eq(mails.key, key))
  expect(mail).toMatchObject({ recipient: user.email, failedAt: null })
  const address = user.email.toLowerCase()
  const subscribed = shop.db
    .select()
    .from(newsletterSubscribers)
    .where(eq(newsletterSubscribers.email, address))
  expect(await subscribed).toHaveLength(1)
})

test('the address of a deleted account can be registered again, and the old data is gone', async () => {
  await anOrder()
  await own('POST', '/delete-account', { password: user.password })
  const payload = {
    email: user.email,
    password: 'eight-it-is',
    firstName: 'N',
    lastName: 'H',
    countryCode: 'GB',
  }
  const { token } = (await shop.app.inject({ method: 'POST', url: '/api/users', payload })).json()
  const xtoken = `Bearer ${token}`
  const library = await shop.app.inject({ url: '/api/libraries', headers: { xtoken } })
  expect(library.json()['hydra:totalItems']).toBe(0)
})

test('the export has the profile, library, places, bookmarks and orders', async () => {
  const { book } = await anOrder()
  await own('PATCH', '', PROFILE)
  const heard = await shop.app.inject({
    method: 'POST',
    url: '/api/user_audio_book_times',
    headers,
    payload: { audioBook: `/api/audio_books/${book.slug}`, chapter: 1, seconds: 31 },
  })
  const send = (method: 'PUT' | 'POST' | 'PATCH', url: string, payload: Record<string, unknown>) =>
    shop.app.inject({ method, url, headers, payload })
  await send('PUT', `${heard.json()['@id']}/speed`, { speed: 1.5 })
  const mark = { audioBook: `/api/audio_books/${book.slug}`, chapter: 1, seconds: 12 }
  const made = await send('POST', '/api/user_bookmarks', { ...mark, id: randomUUID(), note: 'First' })
  shop.clock.advance(1)
  await send('PATCH', made.json()['@id'], { note: 'Second' })
  const answer = await own('GET', '/export')
  expect(answer.headers['content-disposition']).toContain('murmur-my-data.json')
  expect(misfits(exportUser.reply, answer.json())).toEqual([])
  const title = { kind: 'audio_books', slug: book.slug, title: 'Kept Bells' }
  expect(answer.json()).toMatchObject({
    profile: { ...PROFILE, email: user.email },
    library: [{ ...title, source: 'purchase' }],
    places: [{ ...title, chapter: 1, seconds: 31, speed: 1.5 }],
    bookmarks: [{ ...title, chapter: 1, seconds: 12, note: 'Second', earlierNotes: [{ note: 'First' }] }],
    orders: [{ amount: 14.99, items: [{ title: 'Kept Bells', price: 14.99 }] }],
  })
  expect(answer.body).not.toContain('argon2')
})

test('API-98: no user can read, change or delete another account by sending its id', async () => {
  const stranger = { ...(await signedIn(shop, await aUser(shop))) }
  const tries = [
    own('PATCH', '', { firstName: 'Mine' }, stranger),
    own('PATCH', '/newsletter-update', { newsletter: true }, stranger),
    own('PATCH', '/promotion-update', { promotions: true }, stranger),
    own('PATCH', '/listening-shown', { shown: true }, stranger),
    own('PUT', '/change-password', { oldPassword: user.password, newPassword: 'a-new-password' }, stranger),
    own('POST', '/delete-account', { password: user.password }, stranger),
    own('GET', '/export', undefined, stranger),
  ]
  for (const answer of await Promise.all(tries)) expect(answer.statusCode).toBe(404)
  const [row] = await shop.db.select().from(users).where(eq(users.id, user.id))
  expect(row).toMatchObject({ firstName: 'Nell', newsletter: false, promotions: false })
  expect(await logIn(user.password)).toBe(200)
})
