import { expect, test, vi } from 'vitest'
import { followPage } from './follow-page.ts'

test('what a page of the next release says, and this worker does not know, is left alone', () => {
  const waitUntil = vi.fn()
  followPage({ skipWaiting: async () => undefined, registration: {} })({
    data: { type: 'LATER' } as never,
    waitUntil,
  })
  expect(waitUntil).not.toHaveBeenCalled()
})
