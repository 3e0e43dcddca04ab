import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { configureNet } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { untilRetry } from './downloads.ts'

let up: boolean
beforeEach(() => {
  vi.useFakeTimers()
  up = true
  configureNet({
    fetch: async () => {
      if (!up) throw new TypeError('offline')
      return fromShop(null, { headers: { 'content-type': 'application/json' } })
    },
  })
})
afterEach(async () => {
  up = true
  await connectivity.check()
  connectivity.stop()
  vi.useRealTimers()
})

/** Tracks whether the promise has resolved. */
function watch(work: Promise<void>) {
  const seen = { ended: false }
  void work.then(() => (seen.ended = true))
  return seen
}

test('PLAY-10: a failed fetch is retried after 5 s', async () => {
  const wait = watch(untilRetry(new AbortController().signal))
  await vi.advanceTimersByTimeAsync(4_900)
  expect(wait.ended).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(wait.ended).toBe(true)
})

test('PLAY-10: offline, it waits for the network', async () => {
  up = false
  await connectivity.check()
  const wait = watch(untilRetry(new AbortController().signal))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(wait.ended).toBe(false)
  up = true
  await connectivity.check()
  await vi.advanceTimersByTimeAsync(0)
  expect(wait.ended).toBe(true)
})

test('PLAY-10: it asks whether the network is back, if nothing else does', async () => {
  up = false
  await connectivity.check()
  connectivity.stop()
  const wait = watch(untilRetry(new AbortController().signal))
  up = true
  await vi.advanceTimersByTimeAsync(4_900)
  expect(wait.ended).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(wait.ended).toBe(true)
})

test('an abort ends the wait at once', async () => {
  const stop = new AbortController()
  up = false
  await connectivity.check()
  const wait = watch(untilRetry(stop.signal))
  await vi.advanceTimersByTimeAsync(10_000)
  stop.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(wait.ended).toBe(true)
})

test('a wait leaves no listeners on the signal, which lives as long as its title is fetched', async () => {
  const { signal } = new AbortController()
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
  const wait = watch(untilRetry(signal))
  await vi.advanceTimersByTimeAsync(5_100)
  expect(wait.ended).toBe(true)
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
    added.mock.calls.map(([, listener]) => listener),
  )
})
