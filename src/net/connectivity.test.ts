import { describe, expect, test } from 'vitest'
import { fromShop } from '#tests/support/shop-response.ts'
import { createConnectivity, probeOwnOrigin } from './connectivity.ts'
import { configureNet } from './settings.ts'

/** Timers that the test runs. */
function fakeTimers() {
  const due: { run: () => void; ms: number; cleared: boolean }[] = []
  return {
    due,
    setTimer: (run: () => void, ms: number) => {
      const timer = { run, ms, cleared: false }
      due.push(timer)
      return timer
    },
    clearTimer: (timer: unknown) => {
      if (timer) (timer as { cleared: boolean }).cleared = true
    },
  }
}

describe('the probe', () => {
  test('PLAY-17: sends a HEAD to its own origin with a query that no cache contains', async () => {
    const asked: { method: string; url: URL; cache: string }[] = []
    configureNet({
      origin: 'http://shop.test',
      fetch: async (input, init) => {
        asked.push({ method: init?.method ?? '', url: new URL(input as string), cache: init?.cache ?? '' })
        return fromShop(null, { headers: { 'content-type': 'application/json' } })
      },
    })
    await expect(probeOwnOrigin()).resolves.toBe('shop')
    await probeOwnOrigin()
    const [first, second] = asked
    expect(first).toMatchObject({ method: 'HEAD', cache: 'no-store' })
    expect(first?.url.origin).toBe('http://shop.test')
    expect(first?.url.search).toMatch(/^\?probe=.{10,}/)
    expect(first?.url.search).not.toBe(second?.url.search)
  })

  const stranger = (status: number, type = 'basic') => {
    const response = new Response(null, { status, headers: { 'content-type': 'application/json' } })
    Object.defineProperty(response, 'type', { value: type })
    return response
  }

  test.each([
    ['a page in place of our answer', 'stranger', () => stranger(200)],
    ['a network that lets nobody in', 'stranger', () => stranger(403)],
    ['one that says so (RFC 6585)', 'stranger', () => stranger(511)],
    ['one that sends on to its own page', 'stranger', () => stranger(200, 'opaqueredirect')],
    ['a proxy without its server', 'nobody', () => stranger(502)],
    ['our own server in trouble', 'nobody', () => fromShop('', { status: 503 })],
  ])('trap 22: %s counts as a %s, not as a connection', async (_what, answerer, answer) => {
    configureNet({ fetch: async () => answer() })
    await expect(probeOwnOrigin()).resolves.toBe(answerer)
  })
})

describe('connectivity', () => {
  test('trap 22: after an answer without a probe, the next check still probes', async () => {
    const timers = fakeTimers()
    let cable = false
    const net = createConnectivity({
      probe: async () => 'shop' as const,
      browserOnline: () => cable,
      ...timers,
    })
    await expect(net.check()).resolves.toBe('offline')
    cable = true
    await expect(net.check()).resolves.toBe('online')
  })

  test('failures while offline do not postpone the next probe', async () => {
    const timers = fakeTimers()
    const net = createConnectivity({
      probe: async () => 'nobody' as const,
      browserOnline: () => true,
      ...timers,
    })
    await net.check()
    for (let screen = 0; screen < 10; screen++) net.note(false)
    expect(timers.due.filter(({ cleared }) => !cleared).map(({ ms }) => ms)).toEqual([2_000])
  })

  test('a missing answer is checked by a probe, then probed again at growing intervals', async () => {
    const timers = fakeTimers()
    let up = false
    const seen: string[] = []
    const net = createConnectivity({
      probe: async () => (up ? ('shop' as const) : ('nobody' as const)),
      browserOnline: () => true,
      ...timers,
    })
    net.subscribe((state) => seen.push(state))

    net.note(false)
    expect(net.snapshot()).toBe('checking')
    await net.check()
    expect(net.snapshot()).toBe('offline')

    for (let round = 0; round < 7; round++) {
      timers.due.at(-1)?.run()
      await net.check()
    }
    expect(timers.due.map(({ ms }) => ms)).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1000))

    up = true
    await net.check()
    expect(net.snapshot()).toBe('online')
    // No intermediate `checking` while it stays offline.
    expect(seen).toEqual(['checking', 'offline', 'online'])
  })

  test('any answer from our own server ends the offline state, without a probe', () => {
    let probes = 0
    const net = createConnectivity({
      probe: async () => (probes++, 'shop' as const),
      browserOnline: () => true,
      ...fakeTimers(),
    })
    net.lost()
    net.note(true)
    expect(net.snapshot()).toBe('online')
    expect(probes).toBe(0)
  })

  test('distinguishes a network that requires a sign-in from a missing one', async () => {
    let answerer: 'stranger' | 'nobody' | 'shop' = 'nobody'
    const net = createConnectivity({
      probe: async () => answerer,
      browserOnline: () => true,
      ...fakeTimers(),
    })
    const seen: [string, boolean][] = []
    net.subscribe((state) => seen.push([state, net.wantsSignIn()]))
    for (answerer of ['nobody', 'stranger', 'stranger', 'shop'] as const) await net.check()
    expect(seen).toEqual([
      ['checking', false],
      ['offline', false],
      ['offline', true],
      ['online', false],
    ])
  })

  test('simultaneous checks share one probe', async () => {
    let probes = 0
    const net = createConnectivity({
      probe: async () => (probes++, 'shop' as const),
      browserOnline: () => true,
      ...fakeTimers(),
    })
    await Promise.all([net.check(), net.check(), net.check()])
    expect(probes).toBe(1)
  })
})
