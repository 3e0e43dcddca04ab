import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exportUser } from '#contract/account-export.ts'
import { changeEmail } from '#contract/account-address.ts'
import { accountTokens, formerAddresses, users } from '#server/db/schema/accounts.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { anEBook, aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const DAY_S = 24 * 3600

let shop: TestShop
let user: TestUser
let headers: Record<string, string>
let fresh: string

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
})
beforeEach(async () => {
  user = await aUser(shop, { confirmedAt: shop.now() })
  headers = { ...(await signedIn(shop, user)) }
  fresh = anAddress()
})
afterAll(() => shop.close())

type Headers = Record<string, string>
const NOBODY: Headers = {}
const anAddress = () => `fresh-${randomUUID().slice(0, 8)}@murmur.example`
const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', url: string, payload?: object, as = NOBODY) =>
  shop.app.inject({ method, url: `/api/${url}`, headers: as, ...(payload ? { payload } : {}) })
const ask = (email = fresh, password = user.password, as = headers) =>
  send('POST', `users/${user.id}/change-email`, { email, password }, as)
const confirm = (confirmationToken: string, as = headers, more: object = {}) =>
  send('POST', 'user_confirmation/confirm', { confirmationToken, ...more }, as)
const undo = (token: string) => send('POST', 'email_changes/undo', { token })
const me = async (as = headers) => (await send('GET', 'logged-user', undefined, as)).json()
const logIn = async (email: string, password = user.password) =>
  (await send('POST', 'login', { email, password })).statusCode
const register = async (email: string) =>
  (
    await send('POST', 'users', {
      email,
      password: 'eight-it-is',
      firstName: 'Una',
      lastName: 'Reed',
      countryCode: 'GB',
    })
  ).statusCode

interface Mail {
  readonly subject: string
  readonly links: readonly string[]
  readonly text: string
}
const mailsTo = async (email: string): Promise<Mail[]> =>
  (await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json()
const newest = async (email: string) => (await mailsTo(email))[0]!
/** The token of the newest email's link. */
async function tokenTo(email: string): Promise<string> {
  const link = (await newest(email)).links.find((each) => /confirm|token=/.test(each))!
  return new URL(link).searchParams.get('token') ?? link.split(/[/.]/).at(-1)!
}
/** Changes the address and returns the token that undoes it. */
async function changed(to = fresh, from = user.email): Promise<string> {
  expect((await ask(to)).statusCode).toBe(200)
  expect((await confirm(await tokenTo(to))).statusCode).toBe(200)
  return tokenTo(from)
}

test('a change of address requires the password and sends an email to both addresses', async () => {
  const answer = await ask()
  expect(answer.statusCode).toBe(200)
  expect(misfits(changeEmail.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({ email: user.email, pendingEmail: fresh })
  expect((await newest(fresh)).subject).toBe('Confirm your new email for Murmur')
  expect((await newest(user.email)).subject).toBe('A new email for your Murmur account')
  expect((await newest(user.email)).text).not.toContain(fresh)
  expect([await logIn(user.email), await logIn(fresh)]).toEqual([200, 401])
  const rows = await shop.db.select().from(accountTokens).where(eq(accountTokens.userId, user.id))
  expect(JSON.stringify(rows)).not.toContain(await tokenTo(fresh))
})

test('the link in the email to the new address changes the address within the session; all sessions stay', async () => {
  const elsewhere = { ...(await signedIn(shop, user)) }
  await ask()
  const link = await tokenTo(fresh)
  const answer = await confirm(link)
  expect([answer.statusCode, answer.json().email]).toEqual([200, fresh])
  for (const as of [headers, elsewhere])
    expect(await me(as)).toMatchObject({ email: fresh, pendingEmail: null, confirmed: true })
  expect([await logIn(user.email), await logIn(fresh)]).toEqual([401, 200])
  expect((await newest(user.email)).subject).toBe('Your Murmur email was changed')
  // A second use has the same result and sends no email.
  const before = await shop.db.$count(mails)
  expect((await confirm(link)).statusCode).toBe(200)
  expect(await shop.db.$count(mails)).toBe(before)
})

test('without the account’s session the link requires the password', async () => {
  await ask()
  const link = await tokenTo(fresh)
  const stranger = { ...(await signedIn(shop, await aUser(shop))) }
  for (const as of [NOBODY, stranger]) {
    const refused = await confirm(link, as)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().violations[0].propertyPath).toBe('password')
    expect((await confirm(link, as, { password: 'not-it' })).statusCode).toBe(422)
  }
  expect((await me()).email).toBe(user.email)
  expect((await confirm(link, NOBODY, { password: user.password })).statusCode).toBe(200)
  expect((await me()).email).toBe(fresh)
})

test('trap 23: the code in the email to the new address does what its link does', async () => {
  await ask()
  const code = /^ *(\d{4}-\d{4})$/m.exec((await newest(fresh)).text)![1]!
  expect((await confirm(code, { ...(await signedIn(shop, await aUser(shop))) })).statusCode).toBe(422)
  expect((await confirm(code)).statusCode).toBe(200)
  expect((await me()).email).toBe(fresh)
})

test('a change expires after a day; a newer request replaces it, and the user can cancel it', async () => {
  await ask()
  const late = await tokenTo(fresh)
  shop.clock.advance(DAY_S + 1)
  headers = { ...(await signedIn(shop, user)) }
  expect((await confirm(late)).statusCode).toBe(422)
  expect((await me()).pendingEmail).toBeNull()

  await ask()
  const replaced = await tokenTo(fresh)
  const other = anAddress()
  expect((await ask(other)).json().pendingEmail).toBe(other)
  expect((await confirm(replaced)).statusCode).toBe(422)
  const cancelled = await tokenTo(other)
  const kept = await send('DELETE', `users/${user.id}/change-email`, undefined, headers)
  expect(kept.json()).toMatchObject({ email: user.email, pendingEmail: null })
  expect((await confirm(cancelled)).statusCode).toBe(422)
  expect((await me()).email).toBe(user.email)
})

test('the email to the new address can be sent again three times an hour; without a pending change nothing is sent', async () => {
  const again = async () =>
    (await send('POST', `users/${user.id}/change-email/resend`, undefined, headers)).statusCode
  expect(await again()).toBe(204)
  await ask()
  const first = await tokenTo(fresh)
  expect([await again(), await again(), await again(), await again()]).toEqual([204, 204, 204, 429])
  expect(await mailsTo(fresh)).toHaveLength(4)
  expect((await confirm(first)).statusCode).toBe(200)
})

test('a wrong password, the account’s own address and too many requests change nothing', async () => {
  const wrong = await ask(fresh, 'not-it')
  expect(wrong.json()).toMatchObject({
    status: 422,
    violations: [{ propertyPath: 'password', message: 'That isn’t your password' }],
  })
  const own = await ask(user.email.toUpperCase())
  expect(own.json().violations).toEqual([{ propertyPath: 'email', message: 'This is already your address' }])
  expect(await mailsTo(fresh)).toEqual([])
  for (let n = 0; n < 4; n += 1) await ask(fresh, 'not-it')
  expect((await ask()).statusCode).toBe(429)
  shop.clock.advance(16 * 60)
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push((await ask()).statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('API-98: another user cannot request, resend or cancel a change', async () => {
  await ask()
  const stranger = await aUser(shop)
  const as = { ...(await signedIn(shop, stranger)) }
  expect((await ask(anAddress(), stranger.password, as)).statusCode).toBe(404)
  expect((await send('POST', `users/${user.id}/change-email/resend`, undefined, as)).statusCode).toBe(404)
  expect((await send('DELETE', `users/${user.id}/change-email`, undefined, as)).statusCode).toBe(404)
  expect((await me()).pendingEmail).toBe(fresh)
})

test('the response does not reveal that an address has an account; its owner gets an email without link or code', async () => {
  const owner = await aUser(shop)
  const shapeOf = ({ jwtMercuryToken: _key, pendingEmail: _email, ...rest }: Record<string, unknown>) => rest
  const free = await ask()
  const taken = await ask(owner.email.toUpperCase())
  expect([free.statusCode, taken.statusCode]).toEqual([200, 200])
  expect(shapeOf(taken.json())).toEqual(shapeOf(free.json()))
  expect(taken.json().pendingEmail).toBe(owner.email.toUpperCase())
  const told = await mailsTo(owner.email)
  expect(told.map(({ subject }) => subject)).toEqual(['This email already has a Murmur account'])
  expect(told[0]!.links.filter((link) => new URL(link).pathname !== '/')).toEqual([])
  expect(told[0]!.text).not.toMatch(/\d{4}-\d{4}/)
})

test('an address that another account took before the link was used stays with that account', async () => {
  await ask()
  const link = await tokenTo(fresh)
  expect(await register(fresh)).toBe(201)
  expect((await confirm(link)).statusCode).toBe(422)
  expect(await me()).toMatchObject({ email: user.email })
})

test('a new password cancels a pending change of address, and a change invalidates the links sent to the old address', async () => {
  await ask()
  const link = await tokenTo(fresh)
  await send('POST', 'forgot_passwords', { email: user.email })
  const reset = (token: string) =>
    send('PATCH', `forgot_passwords/${user.id}`, { resetToken: token, password: 'a-new-password' }, headers)
  expect((await reset(await tokenTo(user.email))).statusCode).toBe(200)
  expect((await confirm(link)).statusCode).toBe(422)

  await send('POST', 'forgot_passwords', { email: user.email })
  const old = await tokenTo(user.email)
  await ask(fresh, 'a-new-password')
  await confirm(await tokenTo(fresh))
  expect((await reset(old)).statusCode).toBe(404)
})

test('the old address can undo the change for 7 days: all sessions end, and the owner has to choose a new password', async () => {
  const link = await changed()
  shop.clock.advance(7 * DAY_S - 60)
  headers = { ...(await signedIn(shop, user)) }
  expect((await undo(link)).statusCode).toBe(204)
  expect((await me()).code).toBe(401)
  expect([await logIn(user.email), await logIn(fresh)]).toEqual([401, 401])
  expect((await newest(user.email)).subject).toBe('Choose a new password for Murmur')
  const resetToken = await tokenTo(user.email)
  const reset = await send('PATCH', `forgot_passwords/${user.id}`, { resetToken, password: 'a-new-password' })
  expect(reset.statusCode).toBe(200)
  expect(await logIn(user.email, 'a-new-password')).toBe(200)
  expect((await undo(link)).statusCode).toBe(404)
})

test('after 7 days a change is final, and the old address is free again', async () => {
  const link = await changed()
  expect(await register(user.email)).toBe(422)
  const other = await aUser(shop)
  const as = { ...(await signedIn(shop, other)) }
  const change = { email: user.email, password: other.password }
  await send('POST', `users/${other.id}/change-email`, change, as)
  expect((await newest(user.email)).subject).toBe('This email already has a Murmur account')

  shop.clock.advance(7 * DAY_S + 1)
  expect((await undo(link)).statusCode).toBe(404)
  expect(await register(user.email)).toBe(201)
  expect(await logIn(fresh)).toBe(200)
})

test('an attacker who changes the address twice cannot reverse the undo', async () => {
  const rightful = await changed()
  shop.clock.advance(60)
  const third = anAddress()
  const thiefs = await changed(third, fresh)
  shop.clock.advance(60)
  await send('POST', 'forgot_passwords', { email: third })
  const reset = await tokenTo(third)
  expect((await undo(rightful)).statusCode).toBe(204)
  expect((await undo(thiefs)).statusCode).toBe(404)
  const again = await send('PATCH', `forgot_passwords/${user.id}`, {
    resetToken: reset,
    password: 'a-thiefs-one',
  })
  expect(again.statusCode).toBe(404)
  const [row] = await shop.db.select().from(users).where(eq(users.id, user.id))
  expect(row!.email).toBe(user.email)
  expect(await shop.db.$count(formerAddresses, eq(formerAddresses.userId, user.id))).toBe(0)
})

test('an old address that was never confirmed is informed of the change and cannot undo it', async () => {
  user = await aUser(shop)
  headers = { ...(await signedIn(shop, user)) }
  await ask()
  await confirm(await tokenTo(fresh))
  expect(await me()).toMatchObject({ email: fresh, confirmed: true })
  const told = await newest(user.email)
  expect(told.subject).toBe('Your Murmur email was changed')
  expect(told.links.join(' ')).not.toContain('/confirm/')
  expect(await register(user.email)).toBe(201)
})

async function aGiftTo(email: string): Promise<string> {
  const { id: bookId } = await anEBook(shop)
  const [gift] = await shop.db
    .insert(gifts)
    .values({ bookId, giverName: 'Nell', email, tokenHash: randomUUID(), codeHash: randomUUID() })
    .returning()
  return gift!.id
}
const claim = async (id: string, as = headers) =>
  (await send('POST', `gifts/${id}/claim`, undefined, as)).statusCode
const waiting = async (as = headers): Promise<string[]> =>
  (await send('GET', 'gifts', undefined, as)).json()['hydra:member'].map(({ id }: { id: string }) => id)

test('an account can claim gifts sent to a former address that it had confirmed', async () => {
  const before = await aGiftTo(user.email)
  await changed()
  const [after, toNew] = [await aGiftTo(user.email.toUpperCase()), await aGiftTo(fresh)]
  expect((await waiting()).toSorted()).toEqual([before, after, toNew].toSorted())
  for (const id of [before, after, toNew]) expect(await claim(id)).toBe(200)
})

test('a gift to a former address belongs to the account that has confirmed that address since', async () => {
  await changed()
  shop.clock.advance(8 * DAY_S)
  headers = { ...(await signedIn(shop, user)) }
  const gift = await aGiftTo(user.email)
  const next = await aUser(shop, { email: user.email })
  expect(await waiting()).toEqual([gift])
  await shop.db.update(users).set({ confirmedAt: shop.now() }).where(eq(users.id, next.id))
  expect(await waiting()).toEqual([])
  expect(await claim(gift)).toBe(404)
  expect(await claim(gift, { ...(await signedIn(shop, next)) })).toBe(200)
})

test('the export has the former and the pending address; a deleted account leaves neither behind', async () => {
  await changed()
  const coming = anAddress()
  await ask(coming)
  const answer = await send('GET', `users/${user.id}/export`, undefined, headers)
  expect(misfits(exportUser.reply, answer.json())).toEqual([])
  expect(answer.json().profile).toMatchObject({
    email: fresh,
    pendingEmail: coming,
    formerEmails: [user.email],
  })
  await send('POST', `users/${user.id}/delete-account`, { password: user.password }, headers)
  const left = await shop.db.select().from(mails)
  const tables = [left.filter(({ kind }) => kind !== 'account_deleted')]
  const text = JSON.stringify([
    ...tables,
    await shop.db.select().from(accountTokens),
    await shop.db.select().from(formerAddresses),
  ])
  for (const email of [user.email, fresh, coming]) expect(text).not.toContain(email)
  expect(await register(user.email)).toBe(201)
})
