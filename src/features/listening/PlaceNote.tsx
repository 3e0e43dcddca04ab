import { useOnline } from '#net/use-online.ts'
import { SavedLate } from './SavedLate.tsx'
import { useListeningStore } from './store.ts'

interface PlaceNoteProps {
  /** The book that is open. */
  slug: string
  nowMs: number
}

/** Older receipts are on the downloads page; beside the sound only news is worth a line. */
const NEWS_MS = 10 * 60_000

/** One short line in the player about this book's place: that it waits for a connection, or that it was saved late. */
export function PlaceNote({ slug, nowMs }: PlaceNoteProps) {
  const { receipt, waiting, stuck } = useListeningStore()
  const offline = !useOnline()
  if (stuck) return 'This browser stopped saving. Reload when it suits you.'
  // Online a place waits for half a minute at most: not worth mentioning.
  if (waiting > 0 && offline) return 'Your place is kept here until you’re online'
  if (!receipt?.slugs.includes(slug) || nowMs - receipt.savedAtMs > NEWS_MS) return null
  return <SavedLate receipt={receipt} nowMs={nowMs} />
}
