import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSandbox } from '../server.ts'
import { Store } from '../store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'murmur-agenda-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('one more subscription, and an hour of time, cost the same among ten members and among three hundred', async () => {
  const sandbox = openSandbox({ folder })
  const { app, keys } = sandbox
  const post = (path: string, fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: path,
      headers: {
        authorization: `Bearer ${keys.secret}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(fields).toString(),
    })
  const product = (await post('/v1/products', { name: 'Membership' })).json()
  await post('/v1/prices', {
    product: product.id,
    currency: 'gbp',
    unit_amount: '800',
    'recurring[interval]': 'month',
    tax_behavior: 'inclusive',
    lookup_key: 'monthly',
  })
  const startedAt = Math.floor(Date.now() / 1000) - 86_400
  let members = 0
  const begin = async (count: number) => {
    const past = Array.from({ length: count }, () => ({
      email: `${(members += 1)}@murmur.example`,
      name: 'A Reader',
      metadata: { subscription: String(members) },
      lookupKey: 'monthly',
      method: 'card',
      isTrial: false,
      startedAt,
      periodStart: startedAt,
    }))
    expect((await post('/_sandbox/subscriptions', { past: JSON.stringify(past) })).statusCode).toBe(200)
  }
  const cost = async () => {
    const [get, all] = [vi.spyOn(Store.prototype, 'get'), vi.spyOn(Store.prototype, 'all')]
    await begin(1)
    await post('/_sandbox/clock', { advance: 'PT1H' })
    const looked = get.mock.calls.length + all.mock.results.flatMap(({ value }) => value).length
    vi.restoreAllMocks()
    return looked
  }
  await begin(9)
  await post('/_sandbox/clock', { advance: 'PT1H' })
  const few = await cost()
  await begin(290)
  await post('/_sandbox/clock', { advance: 'PT1H' })
  expect(await cost()).toBe(few)
  await sandbox.close()
})
