import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { followWorker } from './follow-owner.ts'

test('a shelf that was shown from its copy is asked for again, in place, once the server said something else', () => {
  const queryClient = new QueryClient()
  const worker = new EventTarget()
  followWorker(queryClient, worker)
  queryClient.setQueryData(['own', 'rosa', 'library'], 'the copy')
  queryClient.setQueryData(['own', 'rosa', 'orders'], 'orders')
  const isStale = (of: string) => queryClient.getQueryState(['own', 'rosa', of])?.isInvalidated

  worker.dispatchEvent(new MessageEvent('message', { data: { type: 'LATER' } }))
  expect(isStale('library')).toBe(false)
  worker.dispatchEvent(new MessageEvent('message', { data: { type: 'SHELF_RENEWED', ownerUuid: 'rosa' } }))
  expect([isStale('library'), isStale('orders')]).toEqual([true, false])
  // It stays on the screen until the new one is there.
  expect(queryClient.getQueryData(['own', 'rosa', 'library'])).toBe('the copy')
})
