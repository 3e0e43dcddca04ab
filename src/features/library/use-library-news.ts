import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownKey } from '#features/query-keys.ts'

/** Updates the open library by itself: a gift arrived, a refund took a title back. */
export function useLibraryNews(ownerUuid: string, active: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!active || ownerUuid === '') return undefined
    let left = false
    let stop = () => {}
    void import('#features/feed/listen.ts').then(({ listenToFeed }) => {
      if (left) return
      stop = listenToFeed(ownerUuid, ({ type }) => {
        if (type === 'library' || type === 'new_order')
          void queryClient.invalidateQueries({ queryKey: ownKey(ownerUuid) })
      })
    })
    return () => {
      left = true
      stop()
    }
  }, [ownerUuid, active, queryClient])
}
