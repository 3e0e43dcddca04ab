import { expect, test, vi } from 'vitest'
import { followPage } from './follow-page.ts'

test("ignores messages of a later release that this worker doesn't know", () => {
  const waitUntil = vi.fn()
  followPage({ skipWaiting: async () => undefined, registration: {} })({
    data: { type: 'LATER' } as never,
    waitUntil,
  })
  expect(waitUntil).not.toHaveBeenCalled()
})
