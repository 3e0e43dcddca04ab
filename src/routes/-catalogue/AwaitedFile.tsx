import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownKey } from '#features/query-keys.ts'
import { awaitEpub } from '#features/feed/epub.ts'
import { listenToFeed } from '#features/feed/listen.ts'
import { useSession } from '#session/store.ts'

/** An e-book whose file is being made; the page updates when it is ready (FEED-05). */
export function AwaitedFile({ slug }: { slug: string }) {
  const queryClient = useQueryClient()
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  useEffect(() => {
    if (!owner) return undefined
    return awaitEpub(slug, {
      listen: (onMessage) => listenToFeed(owner, onMessage),
      look: () => void queryClient.invalidateQueries({ queryKey: ownKey(owner, 'e_books', 'item', slug) }),
    })
  }, [owner, slug, queryClient])
  return <p role="status">We’re getting its file ready. It won’t be long.</p>
}
