import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { hashPassword } from './passwords.ts'

let shop: TestShop
let nell: TestUser

beforeAll(async () => {
  shop = await testShop()
  nell = await aUser(shop, { email: 'Nell@Murmur.example', firstName: 'Nell', lastName: 'Hart' })
})
afterAll(() => shop.close())

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  shop.app.inject({ method: 'POST', url, payload, headers })
const logIn = async (user = nell): Promise<{ token: string; refresh_token: string }> =>
  (await post('/api/login', { email: user.email, password: user.password })).json()
const whoAmI = (headers: Record<string, string>) =>
  shop.app.inject({ method: 'GET', url: '/api/logged-user', headers })
const refresh = (token: string) => post('/api/token/refresh', { refresh_token: token })

test('API-07, API-02: email and password open a session whose token goes in the xtoken header', async () => {
  const answer = await post('/api/login', { email: 'nell@murmur.EXAMPLE', password: nell.password })
  expect(answer.statusCode).toBe(200)
  const { token } = answer.json()
  expect((await whoAmI({ xtoken: `Bearer ${token}` })).json()).toMatchObject({ uuid: nell.id })
  expect((await whoAmI({ authorization: `Bearer ${token}` })).json()).toMatchObject({ uuid: nell.id })
})

test('API-07: a wrong password and an unknown address get the same message', async () => {
  const wrong = await post('/api/login', { email: nell.email, password: 'not-hers' })
  const unknown = await post('/api/login', { email: 'nobody@murmur.example', password: 'not-hers' })
  expect(wrong.statusCode).toBe(401)
  expect(wrong.json()).toMatchObject({ code: 401, message: 'Invalid credentials.' })
  expect(unknown.statusCode).toBe(401)
  expect(unknown.json()).toEqual(wrong.json())
})

test('API-09: the current user is returned without any trace of the password', async () => {
  const answer = await whoAmI(await signedIn(shop, nell))
  expect(answer.json()).toMatchObject({
    '@id': `/api/users/${nell.id}`,
    email: 'Nell@Murmur.example',
    fullName: 'Nell Hart',
    outlet: null,
  })
  expect(answer.body).not.toMatch(/password|argon2/i)
})

test('a missing, an invalid and an expired token get different errors', async () => {
  const messageOf = async (headers: Record<string, string>) => {
    const answer = await whoAmI(headers)
    return `${answer.statusCode} ${answer.json().message}`
  }
  const headers = await signedIn(shop, nell)
  expect(await messageOf({})).toBe('401 JWT Token not found')
  expect(await messageOf({ xtoken: 'Bearer nonsense' })).toBe('401 Invalid JWT Token')
  expect(await messageOf({ xtoken: headers.xtoken.slice(0, -2) })).toBe('401 Invalid JWT Token')
  expect(await messageOf({ ...headers, authorization: 'Bearer other' })).toBe('401 Invalid JWT Token')
  shop.clock.advance(30 * 60 + 1)
  expect(await messageOf(headers)).toBe('401 Expired JWT Token')
})

test('a token without a signature, or signed with another key, is refused', async () => {
  const [, claims = ''] = (await logIn()).token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const stranger = await testShop({ env: { APP_KEYS: 's'.repeat(32) }, database: shop.database })
  const foreign = await signedIn(stranger, nell)
  await stranger.close()
  for (const xtoken of [`Bearer ${none}.${claims}.`, foreign.xtoken])
    expect((await whoAmI({ xtoken })).statusCode).toBe(401)
})

test('API-12: a refresh token is exchanged for a new pair, at both paths', async () => {
  const first = await logIn()
  const second = await refresh(first.refresh_token)
  expect(second.statusCode).toBe(200)
  expect(second.json().refresh_token).not.toBe(first.refresh_token)
  const third = await post('/token/refresh', { refresh_token: second.json().refresh_token })
  expect(third.statusCode).toBe(200)
  expect((await whoAmI({ xtoken: `Bearer ${third.json().token}` })).statusCode).toBe(200)
})

test('API-12: an unknown, a malformed and a missing refresh token are refused', async () => {
  const { refresh_token: real } = await logIn()
  const invented = real.slice(0, 30) + 'x'.repeat(real.length - 30)
  for (const token of ['nonsense', invented, `${real}=`]) {
    const answer = await refresh(token)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ message: 'Invalid JWT Refresh Token' })
  }
  expect((await post('/api/token/refresh', {})).statusCode).toBe(422)
  // An invented token for a known session must not end that session.
  expect((await refresh(real)).statusCode).toBe(200)
})

test('trap 20: two tabs that refresh at once get the same successor and both stay signed in', async () => {
  const { refresh_token: token } = await logIn()
  const [left, right] = await Promise.all([refresh(token), refresh(token)])
  shop.clock.advance(10)
  const late = await refresh(token)
  expect([left.statusCode, right.statusCode, late.statusCode]).toEqual([200, 200, 200])
  expect(right.json().refresh_token).toBe(left.json().refresh_token)
  expect(late.json().refresh_token).toBe(left.json().refresh_token)
  for (const { token: access } of [left.json(), right.json(), late.json()])
    expect((await whoAmI({ xtoken: `Bearer ${access}` })).statusCode).toBe(200)
})

test('API-12: a used refresh token ends the whole session after the grace period', async () => {
  const first = await logIn()
  const second = (await refresh(first.refresh_token)).json()
  shop.clock.advance(11)
  expect((await refresh(first.refresh_token)).statusCode).toBe(401)
  expect((await refresh(second.refresh_token)).statusCode).toBe(401)
  expect((await whoAmI({ xtoken: `Bearer ${second.token}` })).statusCode).toBe(401)
})

test('the grace period covers only the latest exchange', async () => {
  const first = await logIn()
  const second = (await refresh(first.refresh_token)).json()
  const third = (await refresh(second.refresh_token)).json()
  expect((await refresh(first.refresh_token)).statusCode).toBe(401)
  expect((await refresh(third.refresh_token)).statusCode).toBe(401)
})

test('a session ends 30 days after its last use, and after 180 days in all', async () => {
  const day = 24 * 3600
  const idle = await logIn()
  shop.clock.advance(30 * day + 1)
  expect((await refresh(idle.refresh_token)).statusCode).toBe(401)

  let { refresh_token: token } = await logIn()
  for (let age = 0; age < 174; age += 29) {
    shop.clock.advance(29 * day)
    const answer = await refresh(token)
    expect(answer.statusCode).toBe(200)
    token = answer.json().refresh_token
  }
  shop.clock.advance(7 * day)
  expect((await refresh(token)).statusCode).toBe(401)
})

test('tokens survive a change of the application keys, as long as the old key is configured', async () => {
  const pair = await logIn()
  const env = { APP_KEYS: `${'n'.repeat(32)},${'k'.repeat(32)}` }
  const later = await testShop({ env, database: shop.database })
  later.clock.set(shop.now())
  const ask = (url: string, payload: object) => later.app.inject({ method: 'POST', url, payload })
  const before = await later.app.inject({
    url: '/api/logged-user',
    headers: { xtoken: `Bearer ${pair.token}` },
  })
  expect(before.statusCode).toBe(200)
  // Exchanged by the instance with the old key, repeated on the instance with the new key.
  const successor = (await refresh(pair.refresh_token)).json().refresh_token
  const repeated = await ask('/api/token/refresh', { refresh_token: pair.refresh_token })
  expect(repeated.json().refresh_token).toBe(successor)
  expect((await ask('/api/token/refresh', { refresh_token: successor })).statusCode).toBe(200)
  await later.close()
})

test('logging out ends the session at once on this and on every other instance', async () => {
  const other = await testShop({ database: shop.database })
  other.clock.set(shop.now())
  const pair = await logIn()
  const headers = { xtoken: `Bearer ${pair.token}` }
  const askOther = async () => (await other.app.inject({ url: '/api/logged-user', headers })).statusCode
  expect(await askOther()).toBe(200)

  expect((await post('/api/logout', { refresh_token: pair.refresh_token })).statusCode).toBe(204)
  expect((await whoAmI(headers)).statusCode).toBe(401)
  expect((await refresh(pair.refresh_token)).statusCode).toBe(401)
  await expect.poll(askOther).toBe(401)
  expect((await post('/api/logout', { refresh_token: pair.refresh_token })).statusCode).toBe(204)
  await other.close()
})

test('deleting an account ends its sessions', async () => {
  const leaving = await aUser(shop)
  const headers = await signedIn(shop, leaving)
  await shop.db.delete(users).where(eq(users.id, leaving.id))
  expect((await whoAmI(headers)).statusCode).toBe(401)
})

test('a password hashed with weaker parameters is rehashed at the next log-in', async () => {
  const weak = await hash(nell.password, { memoryCost: 8192, timeCost: 2, parallelism: 1 })
  const early = await aUser(shop, { passwordHash: weak })
  expect((await post('/api/login', { email: early.email, password: early.password })).statusCode).toBe(200)
  const [row] = await shop.db.select().from(users).where(eq(users.id, early.id))
  expect(row!.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await post('/api/login', { email: early.email, password: early.password })).statusCode).toBe(200)
})

test('a password works in whichever Unicode form it is typed', async () => {
  const composed = await aUser(shop, {
    passwordHash: await hashPassword('caf\u00e9-brontë', { one: 'a test' }),
  })
  const typed = 'cafe\u0301-bronte\u0308'
  expect((await post('/api/login', { email: composed.email, password: typed })).statusCode).toBe(200)
})

test('a clock that jumps an hour forwards and back logs no user out', async () => {
  const first = await logIn()
  shop.clock.advance(3600)
  expect((await whoAmI({ xtoken: `Bearer ${first.token}` })).statusCode).toBe(401)
  const ahead = (await refresh(first.refresh_token)).json()
  expect((await whoAmI({ xtoken: `Bearer ${ahead.token}` })).statusCode).toBe(200)
  shop.clock.advance(-3600)
  expect((await whoAmI({ xtoken: `Bearer ${ahead.token}` })).statusCode).toBe(200)
  const back = await refresh(ahead.refresh_token)
  expect(back.statusCode).toBe(200)
  expect((await whoAmI({ xtoken: `Bearer ${back.json().token}` })).statusCode).toBe(200)
})
