import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { feedTopic } from '#contract/limits.ts'
import { expectNothingLost, promisesTo } from '#tests/support/listeners.ts'
import { closeStreams, listenTo } from '#tests/support/live-stream.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { shopUnderLoad } from '#tests/support/shop-under-load.ts'
import { soon } from '#tests/support/wait-for.ts'

const LONG = Boolean(process.env.LONG)
const FROZEN_MS = LONG ? 20_000 : 2_000
const closings: (() => unknown)[] = []
afterEach(async () => {
  closeStreams()
  for (const close of closings.splice(0).toReversed()) await close()
})

describe('one of two instances is frozen', () => {
  test('listeners switch to the other server, nothing is lost, and the frozen one’s live streams catch up', async () => {
    const postgres = await startPostgres({ durable: LONG })
    closings.push(() => postgres.stop())
    const shop = await shopUnderLoad({
      databaseUrl: postgres.url,
      instances: 2,
      listeners: LONG ? 20 : 6,
      patienceMs: 500,
    })
    closings.push(() => shop.close())
    const [frozen, other] = shop.servers
    const { user, headers } = shop.listeners[0]!
    const stream = await listenTo(frozen!.url, {
      token: headers.xtoken.replace('Bearer ', ''),
      topic: feedTopic(user.id),
    })
    expect(stream.response.status).toBe(200)

    frozen!.hang()
    const before = shop.broken()
    await soon(() => expect(shop.broken()).toBeGreaterThan(before))
    const promised = promisesTo(shop.listeners)
    await soon(() => expect(promisesTo(shop.listeners)).toBeGreaterThan(promised + shop.listeners.length))
    expect((await fetch(`${other!.url}/api/health/ready`)).status).toBe(200)
    await pause(FROZEN_MS)
    // Listeners whose row the frozen server has locked in a transaction wait for ten seconds.
    if (LONG) await shop.promisesMore()
    frozen!.wake()
    await soon(async () => expect((await fetch(`${frozen!.url}/api/health/ready`)).status).toBe(200))
    await stream.next()
    await shop.promisesMore()
    expect(shop.refused()).toBe(0)
    expectNothingLost(...(await shop.end()))
  })
})
