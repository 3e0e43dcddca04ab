import type { FeedMessage } from '#contract/feed.ts'
import { EPUB_DELAY_MS } from '#contract/limits.ts'

interface EpubPorts {
  /** Opens the account's stream; answers its stop. */
  readonly listen: (onMessage: (message: FeedMessage) => void) => () => void
  /** Looks at the book again: its file is there now. */
  readonly look: () => void
}

/**
 * Waits for the file of one e-book: five seconds after its message the book is looked at again (FEED-05), by when
 * every copy of the store has the file. Returns a stop.
 */
export function awaitEpub(slug: string, { listen, look }: EpubPorts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = listen((message) => {
    // By its slug, or by its address on the wire.
    if (message.type !== 'epub' || message.eBook.split('/').pop() !== slug) return
    clearTimeout(timer)
    timer = setTimeout(look, EPUB_DELAY_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
