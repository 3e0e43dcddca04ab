import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FeedMessage } from '#contract/feed.ts'
import { awaitEpub } from './AwaitedFile.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('FEED-05: fetches a book again 5 seconds after the message that its file is ready', () => {
  let say: (message: FeedMessage) => void = () => {}
  const closed = vi.fn()
  const look = vi.fn()
  const listen = (onMessage: typeof say) => {
    say = onMessage
    return closed
  }
  const stop = awaitEpub('the-unbound-almanac', { listen, look })
  say({ type: 'epub', eBook: '/api/e_books/another-book' })
  say({ type: 'library' })
  vi.advanceTimersByTime(10_000)
  expect(look).not.toHaveBeenCalled()

  say({ type: 'epub', eBook: '/api/e_books/the-unbound-almanac' })
  vi.advanceTimersByTime(4_999)
  expect(look).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(look).toHaveBeenCalledTimes(1)

  say({ type: 'epub', eBook: 'the-unbound-almanac' })
  stop()
  vi.advanceTimersByTime(10_000)
  expect(look).toHaveBeenCalledTimes(1)
  expect(closed).toHaveBeenCalledTimes(1)
})
