import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyNowConsent } from '#contract/messages-checkout.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { payingShop, type PayingShop } from '#tests/support/purchases.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at?.shop.close())

const send = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, token?: string) =>
  at.shop.app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    ...(token ? { headers: { xtoken: `Bearer ${token}` } } : {}),
  })

let wallets = 0
/** A visitor with a title in the bag, whose wallet says who they are. */
async function byWallet() {
  wallets += 1
  const email = `wallet-${wallets}@murmur.example`
  const { slug } = await anAudioBook(at.shop, { priceMinor: 1200 })
  const added = await send('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}` })
  const cart: string = added.json().cart.uuid
  const body = { email, firstName: 'Robin', countryCode: 'GB', terms: true }
  const pair = await send('POST', `/api/carts/${cart}/register`, body)
  const token: string = pair.json().token
  const user = (await send('GET', '/api/logged-user', undefined, token)).json()
  return { email, cart, token, user, slug }
}
const choose = ({ user, token }: Awaited<ReturnType<typeof byWallet>>, newPassword: string) =>
  send('POST', `/api/users/${user.uuid}/choose-password`, { newPassword }, token)
const logIn = (email: string, password: string) => send('POST', '/api/login', { email, password })

test('paying: a wallet needs no password and no second name, and the sentence under its buttons is the consent', async () => {
  const { cart, token, user } = await byWallet()
  expect(user).toMatchObject({ firstName: 'Robin', lastName: '', fullName: 'Robin', withoutPassword: true })
  const consent = buyNowConsent({ own: 1, gifts: 0 })
  const checkOut = (more: object) =>
    send('POST', `/api/carts/${cart}/checkout`, { couponCode: null, amount: 12, ...more }, token)
  expect((await checkOut({ consent: 'I agree.' })).json().violations[0].propertyPath).toBe('consent')
  const { order } = (await checkOut({ consent })).json()
  const [row] = await at.shop.db.select().from(orders).where(eq(orders.id, order))
  expect(row).toMatchObject({ consentWords: consent })
  expect(row!.waiverAt).not.toBeNull()
})

test('paying: an account without a password can’t be logged in to, and its owner chooses one later', async () => {
  const made = await byWallet()
  for (const guess of ['murmur-demo', 'null', ' '])
    expect((await logIn(made.email, guess)).statusCode).toBe(401)
  expect((await choose(made, '12345678')).statusCode).toBe(422)
  expect((await choose(made, 'a-quiet-ferry')).statusCode).toBe(204)
  expect((await logIn(made.email, 'a-quiet-ferry')).statusCode).toBe(200)
  const after = (await send('GET', '/api/logged-user', undefined, made.token)).json()
  expect(after.withoutPassword).toBeUndefined()
  // The same call can't replace that password.
  expect((await choose(made, 'another-ferry')).statusCode).toBe(409)
  expect((await logIn(made.email, 'a-quiet-ferry')).statusCode).toBe(200)
})

test('paying: an old session can’t choose the first password, and no old password changes it', async () => {
  const made = await byWallet()
  const change = { oldPassword: 'murmur-demo', newPassword: 'a-quiet-ferry' }
  const changed = await send('PUT', `/api/users/${made.user.uuid}/change-password`, change, made.token)
  expect(changed.statusCode).toBe(422)
  const createdAt = new Date(at.shop.now().getTime() - 3_600_000)
  await at.shop.db.update(sessions).set({ createdAt }).where(eq(sessions.userId, made.user.uuid))
  expect((await choose(made, 'a-quiet-ferry')).json()).toMatchObject({ status: 403, reason: 'proof_needed' })
})

test('paying: the link by email sets a password for an account without one', async () => {
  const made = await byWallet()
  await send('POST', '/api/forgot_passwords', { email: made.email })
  const mails = (await send('GET', `/dev/mail.json?to=${encodeURIComponent(made.email)}`)).json()
  const link = (mails as { links: string[] }[])
    .flatMap(({ links }) => links)
    .find((address) => address.includes('/reset-password/'))!
  const { pathname, searchParams } = new URL(link)
  const reset = await at.shop.app.inject({
    method: 'PATCH',
    url: `/api/forgot_passwords/${pathname.split('/').pop()}`,
    payload: { resetToken: searchParams.get('token'), password: 'a-quiet-ferry' },
  })
  expect(reset.statusCode).toBe(200)
  expect((await logIn(made.email, 'a-quiet-ferry')).statusCode).toBe(200)
})

test('paying: a wallet with the address of an account gets no session of it', async () => {
  const { email } = await byWallet()
  const { slug } = await anAudioBook(at.shop)
  const added = await send('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}` })
  const answer = await send('POST', `/api/carts/${added.json().cart.uuid}/register`, {
    email: email.toUpperCase(),
    firstName: 'Robin',
    countryCode: 'GB',
    terms: true,
  })
  expect([answer.statusCode, answer.json().reason]).toEqual([422, 'email_taken'])
})
