import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/log/log.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { aBuyer, fillBag, payingShop, type PayingShop, twoTitles } from '#tests/support/purchases.ts'
import { testShop } from '#tests/support/shop.ts'

let lines: string[]
let at: PayingShop
beforeAll(async () => {
  lines = []
  at = await payingShop({ log: openLog('warn', { write: (line) => void lines.push(line) }) })
})
afterAll(() => at.shop.close())

const ask = (url: string) => at.shop.app.inject({ url })
const said = () => lines.map((line) => JSON.parse(line))

test('trap 22: the connectivity probe gets JSON headers, no caching, and an empty body', async () => {
  const answer = await at.shop.app.inject({ method: 'HEAD', url: '/api/health?probe=1' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toMatch(/\bjson\b/)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toBe('')
})

async function aCheckout() {
  const buyer = await aBuyer(at.shop)
  const { eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: eBook.slug, kind: 'e_books' }])
  return () => buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })
}

test('while the provider does not answer, the buyer gets a true message and the log names the cause', async () => {
  const checkOut = await aCheckout()
  at.payments.onCall = () => {
    throw new PaymentsUnavailable('away')
  }
  const answer = await checkOut()
  at.payments.onCall = () => undefined
  expect(answer.statusCode).toBe(503)
  expect(answer.json().description).toBe(
    'Our payment provider isn’t answering just now. Please try again in a few minutes. You won’t be charged twice.',
  )
  expect(said()).toContainEqual(expect.objectContaining({ msg: 'answered 503', fault: 'provider' }))
})

test('a full disk returns 503 with a message, logs one loud line, and the shop is alive but not ready', async () => {
  const checkOut = await aCheckout()
  expect((await ask('/api/health')).statusCode).toBe(200)
  at.payments.onCall = () => {
    throw Object.assign(new Error('could not extend file'), { code: '53100' })
  }
  const answers = [await checkOut(), await checkOut()]
  at.payments.onCall = () => undefined
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503])
  expect(answers[0]!.json().description).toContain('can’t save anything just now')
  expect(said().filter(({ level }) => level === 'fatal')).toMatchObject([
    { fault: 'disk', msg: expect.stringContaining('THE DISK IS FULL') },
  ])
  expect((await ask('/api/health')).statusCode).toBe(503)
  expect((await ask('/api/health/live')).statusCode).toBe(200)
})

test('a server told to stop keeps answering, is alive, and is not ready', async () => {
  const ending = new AbortController()
  const shop = await testShop({ database: at.shop.database, ending: ending.signal })
  const statuses = async () => {
    const urls = ['/api/health/ready', '/api/health', '/api/health/live', '/api/styles']
    return Promise.all(urls.map(async (url) => (await shop.app.inject({ url })).statusCode))
  }
  expect(await statuses()).toEqual([200, 200, 200, 200])
  ending.abort()
  expect(await statuses()).toEqual([503, 503, 200, 200])
  await shop.close()
})

test('a server with only the jobs role answers health checks and nothing else', async () => {
  const shop = await testShop({ database: at.shop.database, env: { ROLE: 'jobs' } })
  const status = async (url: string) => (await shop.app.inject({ url })).statusCode
  expect(await Promise.all(['/api/health/ready', '/metrics', '/api/audio_books', '/'].map(status))).toEqual([
    200, 200, 404, 404,
  ])
  await shop.close()
})

test('a server without its database is alive and not ready', async () => {
  const db = at.shop.db as { execute: unknown }
  const { execute } = db
  db.execute = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  expect((await ask('/api/health')).statusCode).toBe(503)
  expect((await ask('/api/health/live')).json()).toEqual({ status: 'alive' })
  db.execute = execute
})
