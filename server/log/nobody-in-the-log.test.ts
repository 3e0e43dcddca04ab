import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { testDatabase } from '#tests/support/database.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import type { OpenDatabase } from '../db/open.ts'
import { openLog } from './log.ts'

/** Everything that a visitor sends in this test contains one of these. */
const SECRETS = {
  email: 'augusta@post.example',
  password: 'analytical-engine-1843',
  token: 'b7d4f0aa-6f0e-4b0e-9d53-000000001843',
  code: 'LOVELACE1843',
  address: '203.0.113.43',
}

let lines: string[]
let database: OpenDatabase
let shop: TestShop

beforeAll(async () => {
  lines = []
  const log = openLog('debug', { write: (line) => void lines.push(line) })
  database = await testDatabase({ log })
  shop = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' }, database, log })
})
afterAll(async () => {
  await shop.close()
  await database.close()
})

/** Like a crash: all connections break in the middle of their queries. */
async function kill(): Promise<void> {
  const [child] = database.processIds()
  if (child !== undefined) process.kill(child, 'SIGKILL')
  else if (database.kind === 'postgres')
    await database.db
      .execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
      .catch(() => undefined)
}

test('a database that dies under load is logged, without any address, token, code or password', async () => {
  const { email, password, token, code, address } = SECRETS
  const user = await aUser(shop, { email })
  const headers = { 'x-forwarded-for': address }
  const own = { ...headers, ...(await signedIn(shop, user)) }
  const secretToken = own.xtoken.slice('Bearer '.length)
  const post = (url: string, body: object, as: Record<string, string> = headers) =>
    shop.app.inject({ method: 'POST', url, payload: body, headers: as })
  const calls = [
    () => post('/api/login', { email, password }),
    () => post('/api/forgot_passwords', { email }),
    () =>
      post('/api/ecommerce-register', { email, plainPassword: password, firstName: code, lastName: code }),
    () => post('/api/token/refresh', { refresh_token: token }),
    () => post('/api/user_confirmation/confirm', { confirmationToken: token }),
    () => post('/api/newsletters', { email }),
    () => post('/api/carts', {}),
    () => shop.app.inject({ url: `/api/discounts/${code}`, headers: own }),
    () => shop.app.inject({ url: `/api/audio_books/claim/${token}`, headers }),
    () => shop.app.inject({ url: `/api/searches?query=${code}`, headers }),
    () => shop.app.inject({ url: '/api/logged-user', headers: own }),
    () => shop.app.inject({ url: '/api/orders', headers: own }),
    () =>
      shop.app.inject({
        method: 'PATCH',
        url: `/api/users/${user.id}`,
        headers: { ...own, 'content-type': 'application/merge-patch+json' },
        payload: JSON.stringify({ firstName: code, address1: address }),
      }),
  ]

  const statuses: number[][] = calls.map(() => [])
  let isOver = false
  const visitors = calls.map(async (call, nth) => {
    while (!isOver) {
      statuses[nth]!.push((await call()).statusCode)
      await turn()
    }
  })
  const outages = () => statuses.flat().filter((status) => status === 503).length
  try {
    // Wait for every kind of request, so that the log contains all their lines. On a busy machine the first answer can
    // take long.
    await expect
      .poll(() => Math.min(...statuses.map(({ length }) => length)), { timeout: 40_000 })
      .toBeGreaterThan(2)
    // Kill it repeatedly: losing an idle connection makes no request fail.
    const killed = async () => (await kill(), outages())
    await expect.poll(killed, { timeout: 40_000, interval: 200 }).toBeGreaterThan(10)
  } finally {
    isOver = true
    await Promise.all(visitors)
  }

  const log = lines.join('')
  expect(log).toContain('answered 503')
  expect(lines.filter((line) => line.includes('answered 503')).some((line) => line.includes('stack'))).toBe(
    false,
  )
  // The lines of requests are checked too; they name the user only by a hash.
  const answered = lines.filter((line) => line.includes('"msg":"answered"'))
  expect(answered.some((line) => line.includes('"who"'))).toBe(true)
  expect(answered.join('')).not.toContain(user.id)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) })
  for (const [what, secret] of Object.entries({ ...SECRETS, secretToken }))
    expect(log.toLowerCase().includes(secret.toLowerCase()), `${what} in the log`).toBe(false)
})
