import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { createQueryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['a second later', undefined, 1],
  ['when the server says', 3, 3],
  ['after five seconds, even if the server asks for more', 60, 5],
])('a busy server is asked once more: %s', async (_when, retryAfter, waitSeconds) => {
  const ask = vi.fn(() => Promise.reject(new NetProblem('server', 503, {}, retryAfter)))
  const answer = createQueryClient()
    .fetchQuery({ queryKey: ['home'], queryFn: ask })
    .catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(waitSeconds * 1000 - 1)
  expect(ask).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1)
  expect(await answer).toBe('failed')
  expect(ask).toHaveBeenCalledTimes(2)
})
