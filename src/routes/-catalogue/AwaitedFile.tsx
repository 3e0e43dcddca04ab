import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownKey } from '#features/query-keys.ts'
import { listenToFeed } from '#features/feed/listen.ts'
import { useSession } from '#session/store.ts'
import type { FeedMessage } from '#contract/feed.ts'
import { EPUB_DELAY_MS } from '#contract/limits.ts'

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

interface EpubPorts {
  /** Subscribes to the account's feed; returns a function that unsubscribes. */
  readonly listen: (onMessage: (message: FeedMessage) => void) => () => void
  readonly look: () => void
}

/**
 * Refetches an e-book five seconds after its message (FEED-05), when every replica of the store has its file.
 */
export function awaitEpub(slug: string, { listen, look }: EpubPorts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = listen((message) => {
    // The message has the slug, or an address that ends with it.
    if (message.type !== 'epub' || message.eBook.split('/').pop() !== slug) return
    clearTimeout(timer)
    timer = setTimeout(look, EPUB_DELAY_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
