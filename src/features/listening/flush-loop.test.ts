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

test('where nothing new was heard nothing is sent, however long the page stays open', async () => {
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(flushes).toHaveLength(0)
})

/** A place is kept every five seconds, and what is sent is answered. */
async function hear(seconds: number) {
  for (let second = 0; second < seconds; second += 5) {
    loop.waiting()
    const before = flushes.length
    await vi.advanceTimersByTimeAsync(5_000)
    if (flushes.length > before) await end('empty')
  }
}

test('what is heard is sent every half a minute, as long as something is heard', async () => {
  await hear(300)
  expect(flushes).toHaveLength(10)
  await vi.advanceTimersByTimeAsync(60_000)
  // What was kept last.
  expect(flushes).toHaveLength(10)
})

test('after what was sent by another way, as a page is hidden, the half minute begins again', async () => {
  await hear(25)
  loop.sentOtherwise()
  await hear(25)
  expect(flushes).toHaveLength(0)
  await hear(5)
  expect(flushes).toHaveLength(1)
})

test('a server that could not take it is asked again after half a minute, not sooner', async () => {
  void loop.now()
  await end('waiting')
  loop.waiting()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(flushes).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(flushes).toHaveLength(2)
})

test('a place kept while others are under way is sent right after them, once', async () => {
  void loop.now()
  const later = [loop.now(), loop.now()]
  expect(flushes).toHaveLength(1)
  await end('empty')
  expect(flushes).toHaveLength(2)
  await end('empty')
  expect(await Promise.all(later)).toEqual(['empty', 'empty'])
  expect(flushes).toHaveLength(2)
})

test('what is heard while the first flush is under way is sent half a minute later, too', async () => {
  loop.stop()
  loop = startFlushLoop(flush)
  loop.waiting()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(flushes).toHaveLength(1)
  await end('empty')
  expect(flushes).toHaveLength(2)
})

test('it sends when the page is seen again, and not when it is hidden', () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(flushes).toHaveLength(0)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(flushes).toHaveLength(1)
  visibility.mockRestore()
})

test('it sends when the network is back, and not when it goes', () => {
  connectivity.lost()
  expect(flushes).toHaveLength(0)
  connectivity.note(true)
  expect(flushes).toHaveLength(1)
})

test('stopped while the last try is under way, it does not try again after that failed', async () => {
  void loop.now()
  loop.stop()
  await end('waiting')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(flushes).toHaveLength(1)
})

test('stopped, it sends nothing more, also where the last try failed or something waits', async () => {
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

test('stopped while something is sent, what became of it is reported to nobody', async () => {
  loop.stop()
  const reported = vi.fn()
  loop = startFlushLoop(flush, reported)
  loop.stop()
  await end('empty')
  expect(reported).not.toHaveBeenCalled()
})
