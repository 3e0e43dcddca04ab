import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countHit, forgetHits } from '#server/rate-limiting/rate-limit.ts'
import { aUser, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { LOG_INS_OF_ACCOUNT, LOG_INS_OF_ADDRESS } from './limits.ts'

let shop: TestShop
let nell: TestUser
let home: string
let tests = 0

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' } })
})
beforeEach(async () => {
  nell = await aUser(shop)
  home = `203.0.113.${++tests}`
})
afterAll(() => shop.close())

const logIn = (password: string, { address = home } = {}) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email: nell.email, password },
    headers: { 'x-forwarded-for': address },
  })

async function failTimes(count: number): Promise<void> {
  for (let attempt = 0; attempt < count; attempt++) expect((await logIn('wrong')).statusCode).toBe(401)
}

test('five wrong passwords make an account wait, even with the correct one; from elsewhere it can log in', async () => {
  await failTimes(5)
  const refused = await logIn(nell.password)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.json().message).toMatch(/too many/i)
  expect((await logIn(nell.password, { address: '198.51.100.9' })).statusCode).toBe(200)
})

test('the limit survives a restart', async () => {
  await failTimes(5)
  shop = await shop.restarted()
  expect((await logIn(nell.password)).statusCode).toBe(429)
})

test('each further failure doubles the wait, up to 15 minutes', async () => {
  await failTimes(5)
  for (const wait of [30, 60, 120, 240, 480, 900]) {
    expect(Number((await logIn('wrong')).headers['retry-after'])).toBe(wait)
    shop.clock.advance(wait - 1)
    expect((await logIn('wrong')).statusCode).toBe(429)
    shop.clock.advance(1)
    if (wait < 900) await failTimes(1)
  }
  expect((await logIn(nell.password)).statusCode).toBe(200)
})

test('the correct password resets the count', async () => {
  await failTimes(4)
  expect((await logIn(nell.password)).statusCode).toBe(200)
  await failTimes(4)
  expect((await logIn(nell.password)).statusCode).toBe(200)
})

test('concurrent guesses are counted one by one', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => logIn('wrong')))
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
})

test('one IP address may try to log in a hundred times an hour, to whichever accounts', async () => {
  for (let hit = 0; hit < 99; hit++) await countHit(shop.db, LOG_INS_OF_ADDRESS, home, shop.now())
  expect((await logIn(nell.password)).statusCode).toBe(200)
  expect((await logIn(nell.password)).statusCode).toBe(429)
  shop.clock.advance(3600)
  expect((await logIn(nell.password)).statusCode).toBe(200)
})

test('the correct password opens at most sixty sessions of an account in an hour, also concurrently', async () => {
  for (let hit = 0; hit < 57; hit++)
    await countHit(shop.db, LOG_INS_OF_ACCOUNT, nell.email.toLowerCase(), shop.now())
  const answers = await Promise.all(Array.from({ length: 6 }, () => logIn(nell.password)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3)
  shop.clock.advance(3600)
  expect((await logIn(nell.password)).statusCode).toBe(200)
})

test('a session may be refreshed sixty times an hour', async () => {
  let { refresh_token } = (await logIn(nell.password)).json()
  const refresh = () =>
    shop.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refresh_token } })
  for (let count = 0; count < 60; count++) refresh_token = (await refresh()).json().refresh_token
  expect((await refresh()).statusCode).toBe(429)
})

test('in demo mode on this machine only failures count', async () => {
  const demo = await testShop({ env: { DEMO: '1' }, database: shop.database })
  const tryAgain = (password: string) =>
    demo.app.inject({ method: 'POST', url: '/api/login', payload: { email: nell.email, password } })
  // If successful log-ins counted, the third would be refused.
  for (let hit = 0; hit < 98; hit++) await countHit(shop.db, LOG_INS_OF_ADDRESS, '127.0.0.1', demo.now())
  for (let count = 0; count < 4; count++) expect((await tryAgain(nell.password)).statusCode).toBe(200)
  await forgetHits(shop.db, LOG_INS_OF_ADDRESS, '127.0.0.1')
  for (let count = 0; count < 5; count++) await tryAgain('wrong')
  expect((await tryAgain(nell.password)).statusCode).toBe(429)
  await demo.close()
})
