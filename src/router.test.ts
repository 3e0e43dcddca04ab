// @vitest-environment happy-dom
import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from './app/start/query-client.ts'
import { createAppRouter } from './router.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function openRouter(address = '/') {
  vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] })
  const router = createAppRouter(createQueryClient())
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) } as never)
  return router
}

test('a navigation begins after the frame that shows the press', async () => {
  const router = openRouter()
  void router.navigate({ to: '/login' })
  await Promise.resolve()
  expect(router.history.location.pathname).toBe('/')
  await vi.advanceTimersByTimeAsync(20)
  expect(router.history.location.pathname).toBe('/login')
})

test('LIST-26: what stays on its page, such as a filter, is in the address at once', () => {
  const router = openRouter('/login')
  void router.navigate({ to: '/login', search: { from: '/you' } })
  expect(router.history.location.search).toBe('?from=%2Fyou')
})

test('a page in the background, which has no frames, navigates all the same', async () => {
  const router = openRouter()
  vi.stubGlobal('requestAnimationFrame', () => 0)
  void router.navigate({ to: '/login' })
  await vi.advanceTimersByTimeAsync(100)
  expect(router.history.location.pathname).toBe('/login')
})
