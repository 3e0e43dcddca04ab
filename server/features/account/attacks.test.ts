import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { buildApp } from '../../app.ts'
import { openLog } from '#server/log/log.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => shop.close())

type Headers = Record<string, string>
const send = (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object, headers: Headers = {}) =>
  shop.app.inject({ method, url, payload, headers })
const from = (address: string): Headers => ({ 'x-forwarded-for': address })
const logIn = (email: string, password: string, address: string, device?: object) =>
  send('POST', '/api/login', { email, password, ...(device && { device }) }, from(address))
const statuses = (answers: readonly { statusCode: number }[]) => {
  const counted: Record<number, number> = {}
  for (const { statusCode } of answers) counted[statusCode] = (counted[statusCode] ?? 0) + 1
  return counted
}
const change = (user: TestUser, headers: Headers, oldPassword: string, newPassword = 'a-new-one-7') =>
  send('PUT', `/api/users/${user.id}/change-password`, { oldPassword, newPassword }, headers)
let networks = 0
const aNetwork = () => `203.0.113.${(networks += 1)}`

test('of sixty concurrent wrong old passwords only five are checked', async () => {
  const nell = await aUser(shop)
  const headers = { ...(await signedIn(shop, nell)) }
  const answers = await Promise.all(Array.from({ length: 60 }, () => change(nell, headers, 'wrong-guess')))
  expect(statuses(answers)[422]).toBe(5)
  expect(statuses(answers)[200]).toBeUndefined()
})

test('the password can change five times an hour, and repeated changes of one account block no other log-in', async () => {
  const [nell, una] = [await aUser(shop), await aUser(shop)]
  const headers = { ...(await signedIn(shop, nell)) }
  for (let time = 0; time < 4; time++)
    expect((await change(nell, headers, nell.password, nell.password)).statusCode).toBe(200)
  const changes = Array.from({ length: 40 }, () => change(nell, headers, nell.password, nell.password))
  const others = Array.from({ length: 6 }, () => logIn(una.email, una.password, aNetwork()))
  expect(statuses(await Promise.all(others))).toEqual({ 200: 6 })
  expect(statuses(await Promise.all(changes))[200]).toBe(1)
  expect((await change(nell, headers, nell.password)).statusCode).toBe(429)
  shop.clock.advance(3600)
  expect((await change(nell, { ...(await signedIn(shop, nell)) }, nell.password)).statusCode).toBe(200)
})

test('of two concurrent password changes one succeeds, and the other is refused', async () => {
  const nell = await aUser(shop)
  const [one, other] = [await signedIn(shop, nell), await signedIn(shop, nell)]
  const answers = await Promise.all([
    change(nell, { ...one }, nell.password, 'the-first-new-1'),
    change(nell, { ...other }, nell.password, 'the-second-new-2'),
  ])
  const [succeeded, refused] =
    answers[0].statusCode === 200 ? [answers[0], answers[1]] : [answers[1], answers[0]]
  expect(succeeded.statusCode).toBe(200)
  // 401 if the first change ended the other session before its request was checked.
  expect([401, 409]).toContain(refused.statusCode)
  expect(refused.statusCode === 401 || refused.json().message.includes('was changed a moment ago')).toBe(true)
  const [won, lost] =
    succeeded === answers[0]
      ? ['the-first-new-1', 'the-second-new-2']
      : ['the-second-new-2', 'the-first-new-1']
  expect((await logIn(nell.email, won, aNetwork())).statusCode).toBe(200)
  expect((await logIn(nell.email, lost, aNetwork())).statusCode).toBe(401)
})

test('three hundred concurrent wrong log-ins, from different networks or from one, do not lock out a known device', async () => {
  const nell = await aUser(shop)
  const device = { id: randomUUID(), browser: 'Chrome on Android' }
  expect((await logIn(nell.email, nell.password, aNetwork(), device)).statusCode).toBe(200)
  for (const network of [
    (index: number) => `198.18.${Math.floor(index / 200)}.${index % 200}`,
    () => '198.19.0.1',
  ]) {
    const flood = Array.from({ length: 300 }, (_, index) =>
      logIn(`nobody-${index}@murmur.example`, 'wrong', network(index)),
    )
    const mine = []
    for (let time = 0; time < 3; time++)
      mine.push(await logIn(nell.email, nell.password, '203.0.114.1', device))
    expect(statuses(mine)).toEqual({ 200: 3 })
    // A flood from one network does not delay unknown devices in other networks.
    await Promise.all(flood)
  }
})

// Keeps two hundred requests running at a time. fair-queue.test.ts tests the queue itself.
test.runIf(process.env.LONG)(
  'while four hundred networks flood, honest log-ins from unknown devices and networks get in',
  async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => aUser(shop)))
    const network = (index: number) => `198.18.${Math.floor(index / 200)}.${index % 200}`
    const flooding = new Set<Promise<unknown>>()
    let isOver = false
    let sent = 0
    /** Keeps the queue overfull: each refused or answered request is followed by the next network's. */
    const flood = async () => {
      while (!isOver) await logIn(`nobody-${sent}@murmur.example`, 'wrong', network((sent += 1) % 400))
    }
    for (let client = 0; client < 200; client++) flooding.add(flood())
    // By then each network has sent three requests.
    await expect.poll(() => sent, { timeout: 120_000 }).toBeGreaterThan(1_200)
    const answers = await Promise.all(people.map(({ email, password }) => logIn(email, password, aNetwork())))
    isOver = true
    await Promise.all(flooding)
    expect(statuses(answers)).toEqual({ 200: people.length })
  },
)

test('a user who is rate-limited because of strangers’ guesses is told how to log in, and each of those ways works', async () => {
  const nell = await aUser(shop)
  const device = { id: randomUUID(), browser: 'Chrome on Android' }
  await logIn(nell.email, nell.password, aNetwork(), device)
  for (let guess = 0; guess < 10; guess++) await logIn(nell.email, 'wrong', aNetwork())
  const refused = await logIn(nell.email, nell.password, aNetwork())
  expect(refused.statusCode).toBe(429)
  expect(refused.json().message).toBe(
    'Too many attempts to log in to this account. You can try again in about an hour. A device that you’ve logged in on before can log in now. Or choose “Forgotten your password?” and we’ll email you a link.',
  )
  expect((await logIn(nell.email, nell.password, aNetwork(), device)).statusCode).toBe(200)
})

test('an account allows ten wrong passwords an hour from all new addresses together, and its own devices can still log in', async () => {
  const nell = await aUser(shop)
  const device = { id: randomUUID(), browser: 'Chrome on Android' }
  expect((await logIn(nell.email, nell.password, aNetwork(), device)).statusCode).toBe(200)
  const guesses = []
  for (let guess = 0; guess < 12; guess++) guesses.push(await logIn(nell.email, 'wrong', aNetwork()))
  expect(statuses(guesses)).toEqual({ 401: 10, 429: 2 })

  const strange = { id: randomUUID(), browser: 'Chrome on Android' }
  expect((await logIn(nell.email, nell.password, aNetwork(), strange)).statusCode).toBe(429)
  expect((await logIn(nell.email, nell.password, aNetwork(), device)).statusCode).toBe(200)
  // A device of another account does not count as known.
  const una = await aUser(shop)
  await logIn(una.email, una.password, aNetwork(), strange)
  expect((await logIn(nell.email, nell.password, aNetwork(), strange)).statusCode).toBe(429)
})

test('a known device does not bypass the limit: after five wrong passwords it waits, on every network', async () => {
  const nell = await aUser(shop)
  const device = { id: randomUUID(), browser: 'Chrome on Android' }
  await logIn(nell.email, nell.password, aNetwork(), device)
  const guesses = []
  for (let guess = 0; guess < 7; guess++) guesses.push(await logIn(nell.email, 'wrong', aNetwork(), device))
  expect(statuses(guesses)).toEqual({ 401: 5, 429: 2 })
})

test('a stranger who requests password resets cannot block the owner’s requests or flood the mailbox', async () => {
  const nell = await aUser(shop)
  const forgot = (address: string) =>
    send('POST', '/api/forgot_passwords', { email: nell.email }, from(address))
  const stranger = aNetwork()
  // Each response takes a fixed time, so send them concurrently.
  const asked = await Promise.all(Array.from({ length: 5 }, () => forgot(stranger)))
  expect(statuses(asked)).toEqual({ 201: 3, 429: 2 })
  expect((await forgot(aNetwork())).statusCode).toBe(201)

  await Promise.all(Array.from({ length: 20 }, () => forgot(aNetwork())))
  expect((await forgot(aNetwork())).statusCode).toBe(429)
})

test('deleting an account needs its password, which a stolen token does not allow to guess', async () => {
  const nell = await aUser(shop)
  const headers = { ...(await signedIn(shop, nell)) }
  const remove = (payload: object) => send('POST', `/api/users/${nell.id}/delete-account`, payload, headers)
  expect((await remove({})).statusCode).toBe(422)
  const wrong = await remove({ password: 'not-hers' })
  expect(wrong.json()).toMatchObject({
    status: 422,
    violations: [{ propertyPath: 'password', message: 'That isn’t your password' }],
  })
  for (let guess = 0; guess < 4; guess++) await remove({ password: 'not-hers' })
  expect((await remove({ password: nell.password })).statusCode).toBe(429)
  shop.clock.advance(30)
  expect((await remove({ password: nell.password })).statusCode).toBe(204)
  expect((await logIn(nell.email, nell.password, aNetwork())).statusCode).toBe(401)
})

test('the log records the events of an account without its address, IP address or passwords in plain text', async () => {
  const lines: { security?: string; account?: string }[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line) as object) })
  const app = await buildApp({ ...shop, log })
  const nell = await aUser(shop, { email: 'Nell.Secret@murmur.example' })
  const post = (url: string, payload: object, headers: Headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers, remoteAddress: '198.51.100.77' })
  await post('/api/login', { email: nell.email, password: 'a-wrong-guess' })
  const pair = (await post('/api/login', { email: nell.email, password: nell.password })).json()
  const headers = { xtoken: `Bearer ${pair.token}` }
  await post('/api/devices/log-out-others', {}, headers)
  await post('/api/logout', { refresh_token: pair.refresh_token })
  await app.close()

  const said = lines.filter(({ security }) => security !== undefined)
  expect(said.map(({ security }) => security)).toEqual([
    'log_in_failed',
    'log_in',
    'logged_out_elsewhere',
    'logged_out',
  ])
  expect(said.slice(0, 3).map(({ account }) => account)).toEqual([nell.id, nell.id, nell.id])
  const all = JSON.stringify(lines)
  for (const secret of [
    nell.email,
    nell.email.toLowerCase(),
    '198.51.100.77',
    'a-wrong-guess',
    nell.password,
  ])
    expect(all).not.toContain(secret)
})
