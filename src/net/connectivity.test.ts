import { describe, expect, test } from 'vitest'
import { createConnectivity, probeOwnOrigin } from './connectivity.ts'
import { configureNet } from './settings.ts'

/** Timers that run when told. */
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
  test('PLAY-17: it is a HEAD to our own origin with a query no cache has seen', async () => {
    const asked: { method: string; url: URL; cache: string }[] = []
    configureNet({
      origin: 'http://shop.test',
      fetch: async (input, init) => {
        asked.push({ method: init?.method ?? '', url: new URL(input as string), cache: init?.cache ?? '' })
        return new Response(null, { headers: { 'content-type': 'application/json' } })
      },
    })
    await expect(probeOwnOrigin()).resolves.toBe(true)
    await probeOwnOrigin()
    const [first, second] = asked
    expect(first).toMatchObject({ method: 'HEAD', cache: 'no-store' })
    expect(first?.url.origin).toBe('http://shop.test')
    expect(first?.url.search).toMatch(/^\?probe=.{10,}/)
    expect(first?.url.search).not.toBe(second?.url.search)
  })

  test('trap 22: a page in place of our answer, and a proxy without its server, are no connection', async () => {
    configureNet({ fetch: async () => new Response('', { headers: { 'content-type': 'text/html' } }) })
    await expect(probeOwnOrigin()).resolves.toBe(false)
    configureNet({
      fetch: async () => new Response('', { status: 503, headers: { 'content-type': 'application/json' } }),
    })
    await expect(probeOwnOrigin()).resolves.toBe(false)
  })
})

describe('connectivity', () => {
  test('trap 22: an answer that needed no probe is not the last: the next asker is told the truth', async () => {
    const timers = fakeTimers()
    let cable = false
    const net = createConnectivity({ probe: async () => true, browserOnline: () => cable, ...timers })
    await expect(net.check()).resolves.toBe('offline')
    cable = true
    await expect(net.check()).resolves.toBe('online')
  })

  test('what fails while offline does not put off the next probe', async () => {
    const timers = fakeTimers()
    const net = createConnectivity({ probe: async () => false, browserOnline: () => true, ...timers })
    await net.check()
    for (let screen = 0; screen < 10; screen++) net.note(false)
    expect(timers.due.filter(({ cleared }) => !cleared).map(({ ms }) => ms)).toEqual([2_000])
  })

  test('silence is checked before it is believed, then asked again ever more rarely', async () => {
    const timers = fakeTimers()
    let up = false
    const seen: string[] = []
    const net = createConnectivity({ probe: async () => up, browserOnline: () => true, ...timers })
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
    // No flicker while it stayed offline.
    expect(seen).toEqual(['checking', 'offline', 'online'])
  })

  test('any answer of ours ends being offline, without a probe', () => {
    let probes = 0
    const net = createConnectivity({
      probe: async () => (probes++, true),
      browserOnline: () => true,
      ...fakeTimers(),
    })
    net.lost()
    net.note(true)
    expect(net.snapshot()).toBe('online')
    expect(probes).toBe(0)
  })

  test('several askers share one probe', async () => {
    let probes = 0
    const net = createConnectivity({
      probe: async () => (probes++, true),
      browserOnline: () => true,
      ...fakeTimers(),
    })
    await Promise.all([net.check(), net.check(), net.check()])
    expect(probes).toBe(1)
  })
})
