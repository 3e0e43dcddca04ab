import type { FeedMessage } from '#contract/feed.ts'
import { EPUB_DELAY_MS } from '#contract/limits.ts'

interface EpubDoors {
  /** Opens the account's stream; answers its stop. */
  readonly listen: (onMessage: (message: FeedMessage) => void) => () => void
  /** Looks at the book again: its file is there now. */
  readonly look: () => void
  readonly setTimer?: (run: () => void, ms: number) => unknown
  readonly clearTimer?: (timer: unknown) => void
}

/**
 * Waits for the file of one e-book: five seconds after its message the book is looked at again (FEED-05), by when
 * every copy of the store has the file. Returns a stop.
 */
export function awaitEpub(
  slug: string,
  {
    listen,
    look,
    setTimer = (run, ms) => setTimeout(run, ms),
    clearTimer = (timer) => clearTimeout(timer as number),
  }: EpubDoors,
): () => void {
  let timer: unknown
  const stop = listen((message) => {
    // By its slug, or by its address on the wire.
    if (message.type !== 'epub' || message.eBook.split('/').pop() !== slug) return
    clearTimer(timer)
    timer = setTimer(look, EPUB_DELAY_MS)
  })
  return () => {
    clearTimer(timer)
    stop()
  }
}
