import type { FeedMessage } from '#contract/feed.ts'
import { EPUB_DELAY_MS } from '#contract/limits.ts'

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
