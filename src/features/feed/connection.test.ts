import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FEED_HEARTBEAT_TIMEOUT_MS } from '#contract/limits.ts'
import type { readStream } from '#net/stream.ts'
import { connectToFeed } from './listen.ts'

type Request = Parameters<typeof readStream>[0]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A stream controlled by the test: each connection stays open until the test ends or breaks it. */
function stage() {
  const openings: (Request & { end: (how: 'closed' | 'refused') => void })[] = []
  const read = (request: Request) =>
    new Promise<'closed' | 'refused'>((resolve, reject) => {
      openings.push({ ...request, end: resolve })
      request.signal.addEventListener('abort', () => reject(new Error('cut off')))
    })
  return { openings, read }
}

test('receives messages on the account’s topic, and ignores invalid ones', async () => {
  const { openings, read } = stage()
  const heard = vi.fn()
  connectToFeed('u1', { onMessage: heard }, { read })
  expect(openings[0]).toMatchObject({ path: '/.well-known/mercure', search: { topic: 'user/u1' } })
  openings[0]!.onEvent({ id: '1', data: '{"type":"new_order","uuid":"o1"}' })
  openings[0]!.onEvent({ id: '2', data: 'no json' })
  expect(heard.mock.calls).toEqual([[{ type: 'new_order', uuid: 'o1' }, '1']])
})

test('after a break it continues after the last message, and backs off while the server does not answer', async () => {
  const { openings, read } = stage()
  connectToFeed('u1', { onMessage: () => {} }, { read })
  openings[0]!.onEvent({ id: 'urn:uuid:7', data: '{"type":"library"}' })
  openings[0]!.end('closed')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openings[1]!.lastEventId).toBe('urn:uuid:7')
  openings[1]!.end('closed')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openings).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openings).toHaveLength(3)
})

test('reconnects when the server said to, after it ended the stream', async () => {
  const { openings, read } = stage()
  connectToFeed('u1', { onMessage: () => {} }, { read })
  openings[0]!.onRetry!(4_000)
  openings[0]!.end('closed')
  await vi.advanceTimersByTimeAsync(3_999)
  expect(openings).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(openings).toHaveLength(2)
})

test('FEED-03: reopens a stream that was silent for 3,600,000 ms; a comment line counts as contact', async () => {
  expect(FEED_HEARTBEAT_TIMEOUT_MS).toBe(3_600_000)
  const { openings, read } = stage()
  connectToFeed('u1', { onMessage: () => {} }, { read })
  await vi.advanceTimersByTimeAsync(3_000_000)
  openings[0]!.onAlive!()
  await vi.advanceTimersByTimeAsync(3_599_000)
  expect(openings[0]!.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openings[0]!.signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openings).toHaveLength(2)
})

test('a refused connection is not retried, and a stopped one stays closed', async () => {
  const { openings, read } = stage()
  connectToFeed('u1', { onMessage: () => {} }, { read })
  openings[0]!.end('refused')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(openings).toHaveLength(1)
  const stop = connectToFeed('u1', { onMessage: () => {} }, { read })
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(openings).toHaveLength(2)
  expect(openings[1]!.signal.aborted).toBe(true)
})
