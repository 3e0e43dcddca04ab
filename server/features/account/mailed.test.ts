import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/account.ts'
import { accountTokens, rateLimits, users } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
})
afterAll(() => shop.close())

type Method = 'POST' | 'PATCH'
/** Each account registers from its own IP address, since one address may only register a few. */
const ask = (
  method: Method,
  url: string,
  payload: object,
  headers: Record<string, string> = {},
  remoteAddress = `198.51.100.${number}`,
) => shop.app.inject({ method, url: `/api/${url}`, payload, headers, remoteAddress })
const logIn = (email: string, password: string) => ask('POST', 'login', { email, password })
const whoAmI = async (token: string) =>
  (await shop.app.inject({ url: '/api/logged-user', headers: { xtoken: `Bearer ${token}` } })).json()

let number = 0
const aVisitor = () => ({
  email: `visitor-${(number += 1)}@murmur.example`,
  password: 'eight-it-is',
  firstName: ' Una ',
  lastName: 'Reed',
  countryCode: 'GB',
  newsletter: true,
})

interface Mail {
  readonly subject: string
  readonly links: readonly string[]
  readonly text: string
}
const mailsTo = async (email: string): Promise<Mail[]> =>
  (await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json()
/** The link, token and code in the newest email to an address. */
async function mailed(email: string) {
  const [mail] = await mailsTo(email)
  const link = mail!.links
    .map((address) => new URL(address))
    .find(({ pathname }) => /confirm|reset/.test(pathname))!
  const segments = link.pathname.split('/')
  return {
    // Match a whole line: an id in a link may look like a code.
    code: /^ *(\d{4}-\d{4})$/m.exec(mail!.text)![1]!,
    token: link.searchParams.get('token') ?? segments[2]!,
    segments,
    link,
  }
}
const rowOf = async (email: string) => (await shop.db.select().from(users).where(eq(users.email, email)))[0]

test('API-06, ENT-16, ENT-17: a visitor registers, is logged in at once, and gets an email to confirm the address', async () => {
  const visitor = aVisitor()
  const answer = await ask('POST', 'users', visitor)
  expect(answer.statusCode).toBe(201)
  expect(misfits(contract.registerUser.reply, answer.json())).toEqual([])
  const { token, refresh_token } = answer.json()
  expect(await whoAmI(token)).toMatchObject({
    email: visitor.email,
    firstName: 'Una',
    fullName: 'Una Reed',
    countryCode: 'GB',
    newsletter: true,
    promotions: false,
    confirmed: false,
  })
  expect((await ask('POST', 'token/refresh', { refresh_token })).statusCode).toBe(200)
  expect((await mailsTo(visitor.email))[0]!.subject).toBe('Confirm your email for Murmur')
  expect((await rowOf(visitor.email))!.passwordHash).toMatch(/^\$argon2id\$/)
})

test('API-06: a known address is refused with "already taken", ignoring case, and changes nothing', async () => {
  const visitor = aVisitor()
  await ask('POST', 'users', visitor)
  const answer = await ask('POST', 'users', {
    ...visitor,
    email: visitor.email.toUpperCase(),
    password: 'another-one',
  })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({
    description: expect.stringContaining('already taken'),
    reason: 'email_taken',
    violations: [{ propertyPath: 'email', code: 'email_taken' }],
  })
  expect((await logIn(visitor.email, visitor.password)).statusCode).toBe(200)
  expect(await mailsTo(visitor.email)).toHaveLength(1)
})

test('two concurrent registrations of one address create one account', async () => {
  const visitor = aVisitor()
  const answers = await Promise.all([1, 2, 3].map(() => ask('POST', 'users', visitor)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
  expect(await mailsTo(visitor.email)).toHaveLength(1)
})

test('API-20: registering during checkout also requires accepting the terms', async () => {
  const visitor = aVisitor()
  expect((await ask('POST', 'ecommerce-register', visitor)).statusCode).toBe(422)
  const answer = await ask('POST', 'ecommerce-register', { ...visitor, terms: true })
  expect(answer.statusCode).toBe(201)
  expect(await whoAmI(answer.json().token)).toMatchObject({ email: visitor.email })
})

test('ACC-37, ACC-38: the server too accepts 8 to 60 characters, counted as people count them', async () => {
  const statusOf = async (password: string) =>
    (await ask('POST', 'users', { ...aVisitor(), password })).statusCode
  expect(await statusOf('1234567')).toBe(422)
  expect(await statusOf('🎧📚'.repeat(4))).toBe(201)
  expect(await statusOf('xy'.repeat(30))).toBe(201)
  expect(await statusOf('x'.repeat(61))).toBe(422)
})

test('API-08: the link in the email confirms the address, also a second time, until it expires', async () => {
  const visitor = aVisitor()
  await ask('POST', 'users', visitor)
  const { token, segments } = await mailed(visitor.email)
  expect(segments).toEqual(['', 'confirm', token])
  const { password } = visitor
  const confirm = () => ask('POST', 'user_confirmation/confirm', { confirmationToken: token, password })
  const answer = await confirm()
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ email: visitor.email })
  expect((await rowOf(visitor.email))!.confirmedAt).toEqual(shop.now())
  expect((await confirm()).statusCode).toBe(200)

  const late = aVisitor()
  await ask('POST', 'users', late)
  const old = (await mailed(late.email)).token
  shop.clock.advance(25 * 3600)
  expect((await ask('POST', 'user_confirmation/confirm', { confirmationToken: old })).statusCode).toBe(422)
  expect((await ask('POST', 'user_confirmation/confirm', { confirmationToken: 'nonsense' })).statusCode).toBe(
    422,
  )
})

test('trap 23: the code in the email confirms the same address when its user is signed in', async () => {
  const visitor = aVisitor()
  const { token } = (await ask('POST', 'users', visitor)).json()
  const { code } = await mailed(visitor.email)
  const typed = code.replace('-', ' ')
  const headers = { xtoken: `Bearer ${token}` }
  // Signed out, or signed in as another user, the code confirms nothing.
  const stranger = await signedIn(shop, await aUser(shop))
  for (const other of [{}, stranger])
    expect(
      (await ask('POST', 'user_confirmation/confirm', { confirmationToken: typed }, other)).statusCode,
    ).toBe(422)
  const answer = await ask('POST', 'user_confirmation/confirm', { confirmationToken: typed }, headers)
  expect(answer.statusCode).toBe(200)
  expect((await whoAmI(token)).confirmed).toBe(true)
})

test('after five wrong attempts the code no longer works, but its link does', async () => {
  const visitor = aVisitor()
  const { token } = (await ask('POST', 'users', visitor)).json()
  const headers = { xtoken: `Bearer ${token}` }
  const mail = await mailed(visitor.email)
  const wrong = mail.code === '0000-0000' ? '0000-0001' : '0000-0000'
  const type = (code: string) =>
    ask('POST', 'user_confirmation/confirm', { confirmationToken: code }, headers)
  for (let n = 0; n < 5; n += 1) expect((await type(wrong)).statusCode).toBe(422)
  expect((await type(mail.code)).statusCode).toBe(422)
  expect((await type(mail.token)).statusCode).toBe(200)
})

test('the confirmation email can be sent again three times an hour until the address is confirmed', async () => {
  const visitor = aVisitor()
  const { token } = (await ask('POST', 'users', visitor)).json()
  const headers = { xtoken: `Bearer ${token}` }
  const again = async () =>
    (await shop.app.inject({ method: 'POST', url: '/api/user_confirmation/resend', headers })).statusCode
  const first = await mailed(visitor.email)
  expect(await again()).toBe(204)
  expect(await mailsTo(visitor.email)).toHaveLength(2)
  expect([await again(), await again(), await again()]).toEqual([204, 204, 429])
  // The earlier link stays valid.
  await ask('POST', 'user_confirmation/confirm', {
    password: visitor.password,
    confirmationToken: first.token,
  })
  expect(await again()).toBe(204)
  expect(await mailsTo(visitor.email)).toHaveLength(4)
})

const forgot = (email: string) => ask('POST', 'forgot_passwords', { email })
const reset = (id: string, resetToken: string, password: string, headers: Record<string, string> = {}) =>
  ask('PATCH', `forgot_passwords/${id}`, { resetToken, password }, headers)

test('API-10: a request for a password reset gets the same response for every address, after the same time', async () => {
  const known = (await aUser(shop)).email
  const unknown = 'nobody-at-all@murmur.example'
  const asked = [unknown, known].map(async (email) => {
    const began = performance.now()
    const answer = await forgot(email)
    return { answer, milliseconds: performance.now() - began }
  })
  const [one, other] = await Promise.all(asked)
  expect([one!.answer.statusCode, other!.answer.statusCode]).toEqual([201, 201])
  const shapeOf = (body: string) => body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  expect(shapeOf(one!.answer.body)).toBe(shapeOf(other!.answer.body))
  // Both take at least the fixed time, which is longer than the work. A slow machine may take longer, and timers may
  // fire a millisecond early.
  for (const { milliseconds } of [one!, other!]) expect(milliseconds).toBeGreaterThan(190)
  expect(await mailsTo(known)).toHaveLength(1)
  expect(await mailsTo(unknown)).toHaveLength(0)
  // Two dots in a row: the form cannot detect every undeliverable address (ERR-13).
  for (const email of ['no address', '', 'a..b@murmur.example'])
    expect((await forgot(email)).statusCode).toBe(422)
})

test('API-10: each address gets three reset requests an hour, known or not, then 429', async () => {
  const known = await aUser(shop)
  for (const email of [known.email, 'somebody-unknown@murmur.example']) {
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await forgot(email)).statusCode)
    expect(statuses).toEqual([201, 201, 201, 429])
  }
})

const sessionOf = async ({ email, password }: TestUser) => (await logIn(email, password)).json()

test('API-11, ENT-25: the link sets a new password once and ends every session of the account', async () => {
  const user = await aUser(shop)
  const { token, refresh_token } = await sessionOf(user)
  await forgot(user.email)
  const mail = await mailed(user.email)
  expect(mail.segments).toEqual(['', 'reset-password', user.id])
  expect((await reset(user.id, mail.token, 'short')).statusCode).toBe(422)
  expect((await reset(user.id, mail.token, 'a-new-password')).statusCode).toBe(200)
  expect((await reset(user.id, mail.token, 'a-third-password')).statusCode).toBe(404)

  expect((await logIn(user.email, user.password)).statusCode).toBe(401)
  expect((await logIn(user.email, 'a-new-password')).statusCode).toBe(200)
  expect((await whoAmI(token)).code).toBe(401)
  expect((await ask('POST', 'token/refresh', { refresh_token })).statusCode).toBe(401)
  expect((await mailsTo(user.email))[0]!.subject).toBe('Your Murmur password was changed')
})

test('a user who resets the password while signed in stays signed in', async () => {
  const user = await aUser(shop)
  const headers = await signedIn(shop, user)
  const elsewhere = await sessionOf(user)
  await forgot(user.email)
  const { token } = await mailed(user.email)
  expect((await reset(user.id, token, 'a-new-password', headers)).statusCode).toBe(200)
  expect((await shop.app.inject({ url: '/api/logged-user', headers })).statusCode).toBe(200)
  expect((await whoAmI(elsewhere.token)).code).toBe(401)
})

test('trap 23: a code only works with the id of the request that it was emailed for', async () => {
  const user = await aUser(shop)
  const other = await aUser(shop)
  const { id } = (await forgot(user.email)).json()
  const { id: othersId } = (await forgot(other.email)).json()
  const { code } = await mailed(user.email)
  expect((await reset(othersId, code, 'a-new-password')).statusCode).toBe(404)
  expect((await reset(user.id, code, 'a-new-password')).statusCode).toBe(404)
  expect((await reset(id, code.replace('-', ''), 'a-new-password')).statusCode).toBe(200)
  expect((await logIn(user.email, 'a-new-password')).statusCode).toBe(200)
  expect((await reset(id, code, 'a-third-password')).statusCode).toBe(404)
})

test('a reset link expires after an hour and works for no other account; five wrong codes use a request up', async () => {
  const user = await aUser(shop)
  const other = await aUser(shop)
  const { id } = (await forgot(user.email)).json()
  const mail = await mailed(user.email)
  expect((await reset(other.id, mail.token, 'a-new-password')).statusCode).toBe(404)
  const wrong = mail.code === '0000-0000' ? '0000-0001' : '0000-0000'
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push((await reset(id, wrong, 'a-new-password')).statusCode)
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
  shop.clock.advance(3601)
  expect((await reset(user.id, mail.token, 'a-new-password')).statusCode).toBe(404)
})

test('tokens and codes are stored as hashes', async () => {
  const user = await aUser(shop)
  await forgot(user.email)
  const mail = await mailed(user.email)
  const rows = await shop.db.select().from(accountTokens).where(eq(accountTokens.userId, user.id))
  expect(JSON.stringify(rows)).not.toContain(mail.token)
  expect(JSON.stringify(rows)).not.toContain(mail.code)
  expect(JSON.stringify(rows)).not.toContain(mail.code.replace('-', ''))
})

test('the number of wrong links is limited', async () => {
  await shop.db.delete(rateLimits)
  const user = await aUser(shop)
  const statuses = new Set<number>()
  for (let n = 0; n < 31; n += 1)
    statuses.add((await reset(user.id, `guess-${n}`, 'a-new-password')).statusCode)
  expect([...statuses]).toEqual([404, 429])
  expect((await ask('POST', 'user_confirmation/confirm', { confirmationToken: 'guess' })).statusCode).toBe(
    429,
  )
  await shop.db.delete(rateLimits)
})

test('one IP address can register ten accounts an hour', async () => {
  const statuses = []
  for (let n = 0; n < 11; n += 1)
    statuses.push((await ask('POST', 'users', aVisitor(), {}, '203.0.113.9')).statusCode)
  expect(statuses).toEqual([...Array<number>(10).fill(201), 429])
})

test('a registration that fails halfway leaves neither an account nor an email', async () => {
  const before = await shop.db.$count(mails)
  const visitor = { ...aVisitor(), firstName: 'Una\u0000' }
  expect((await ask('POST', 'users', visitor)).statusCode).toBeOneOf([400, 422])
  expect(await rowOf(visitor.email)).toBeUndefined()
  expect(await shop.db.$count(mails)).toBe(before)
})

test('an address is confirmed only by the user who registered it, not by the address’s owner alone', async () => {
  const victim = aVisitor()
  const { token: session } = (await ask('POST', 'users', victim)).json()
  const { token: confirmationToken } = await mailed(victim.email)
  const confirm = (more: object = {}, headers: Record<string, string> = {}) =>
    ask('POST', 'user_confirmation/confirm', { confirmationToken, ...more }, headers)
  const asked = await confirm()
  expect(asked.json()).toMatchObject({
    status: 422,
    violations: [{ propertyPath: 'password', message: 'Enter your password to confirm this address' }],
  })
  expect((await confirm({ password: 'a-guess-of-mine' })).statusCode).toBe(422)
  const other = { ...(await signedIn(shop, await aUser(shop))) }
  expect((await confirm({}, other)).statusCode).toBe(422)
  expect((await rowOf(victim.email))!.confirmedAt).toBeNull()

  expect((await confirm({}, { xtoken: `Bearer ${session}` })).statusCode).toBe(200)
  expect((await rowOf(victim.email))!.confirmedAt).toEqual(shop.now())
})

test('a password that is too common cannot be used for registering, changing or resetting', async () => {
  const visitor = aVisitor()
  const refused = await ask('POST', 'users', { ...visitor, password: 'iloveyou' })
  expect(refused.json()).toMatchObject({
    status: 422,
    violations: [{ propertyPath: 'password', message: 'This password is too common' }],
  })
  const own = await ask('POST', 'users', { ...visitor, lastName: 'Whitlock', password: 'UnaWhitlock' })
  expect(own.json().violations[0].message).toBe('Your password can’t be your own name or email address')

  const { token } = (await ask('POST', 'users', visitor)).json()
  const { uuid } = await whoAmI(token)
  const change = await shop.app.inject({
    method: 'PUT',
    url: `/api/users/${uuid}/change-password`,
    headers: { xtoken: `Bearer ${token}` },
    payload: { oldPassword: visitor.password, newPassword: 'password' },
  })
  expect(change.json().violations).toEqual([
    { propertyPath: 'newPassword', message: 'This password is too common' },
  ])

  await ask('POST', 'forgot_passwords', { email: visitor.email })
  const reset = await mailed(visitor.email)
  const setTo = (password: string) =>
    ask('PATCH', `forgot_passwords/${uuid}`, { resetToken: reset.token, password })
  for (const password of ['        ', visitor.email]) expect((await setTo(password)).statusCode).toBe(422)
  // A refused password does not use up the link.
  expect((await setTo('eight it is')).statusCode).toBe(200)
  expect((await logIn(visitor.email, 'eight it is')).statusCode).toBe(200)
})
