import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { followWorker } from './follow-owner.ts'

test('refetches a cached library in place once the server’s answer differs', () => {
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
  // The old data stays on screen until the new data arrives.
  expect(queryClient.getQueryData(['own', 'rosa', 'library'])).toBe('the copy')
})
