// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FlushOutcome } from '#sync/flush.ts'
import { connectivity } from '#net/connectivity.ts'
import { startFlushLoop, type FlushLoop } from './flush-loop.ts'

let flushes: ((outcome: FlushOutcome) => void)[]
let loop: FlushLoop
const flush = () => new Promise<FlushOutcome>((resolve) => flushes.push(resolve))
const end = async (outcome: FlushOutcome) => {
  flushes.at(-1)!(outcome)
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(async () => {
  vi.useFakeTimers()
  flushes = []
  loop = startFlushLoop(flush)
  await end('empty')
  flushes = []
})
afterEach(() => {
  loop.stop()
  vi.useRealTimers()
})

test('sends nothing if nothing new was heard, however long the page stays open', async () => {
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(flushes).toHaveLength(0)
})

/** Stores a place every five seconds, and answers each request. */
async function hear(seconds: number) {
  for (let second = 0; second < seconds; second += 5) {
    loop.waiting()
    const before = flushes.length
    await vi.advanceTimersByTimeAsync(5_000)
    if (flushes.length > before) await end('empty')
  }
}

test('sends places every 30 s during playback', async () => {
  await hear(300)
  expect(flushes).toHaveLength(10)
  await vi.advanceTimersByTimeAsync(60_000)
  // The last stored place.
  expect(flushes).toHaveLength(10)
})

test('restarts the 30 s after places were sent another way, such as on hide', async () => {
  await hear(25)
  loop.sentOtherwise()
  await hear(25)
  expect(flushes).toHaveLength(0)
  await hear(5)
  expect(flushes).toHaveLength(1)
})

test('retries a failing server after 30 s, not sooner', async () => {
  void loop.now()
  await end('waiting')
  loop.waiting()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(flushes).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(flushes).toHaveLength(2)
})

test('sends a place stored during a request right after it, once', async () => {
  void loop.now()
  const later = [loop.now(), loop.now()]
  expect(flushes).toHaveLength(1)
  await end('empty')
  expect(flushes).toHaveLength(2)
  await end('empty')
  expect(await Promise.all(later)).toEqual(['empty', 'empty'])
  expect(flushes).toHaveLength(2)
})

test('sends places heard during the first flush 30 s later', async () => {
  loop.stop()
  loop = startFlushLoop(flush)
  loop.waiting()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(flushes).toHaveLength(1)
  await end('empty')
  expect(flushes).toHaveLength(2)
})

test('sends when the page becomes visible, not when it is hidden', () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(flushes).toHaveLength(0)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(flushes).toHaveLength(1)
  visibility.mockRestore()
})

test('sends when the network returns, not when it is lost', () => {
  connectivity.lost()
  expect(flushes).toHaveLength(0)
  connectivity.note(true)
  expect(flushes).toHaveLength(1)
})

test('stopping during the last attempt prevents a retry', async () => {
  void loop.now()
  loop.stop()
  await end('waiting')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(flushes).toHaveLength(1)
})

test('a stopped loop sends nothing, even after a failure or with pending places', async () => {
  void loop.now()
  loop.waiting()
  loop.waiting()
  loop.stop()
  await end('waiting')
  connectivity.lost()
  connectivity.note(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(flushes).toHaveLength(1)
})

test('stopping during a request suppresses its outcome', async () => {
  loop.stop()
  const reported = vi.fn()
  loop = startFlushLoop(flush, reported)
  loop.stop()
  await end('empty')
  expect(reported).not.toHaveBeenCalled()
})
