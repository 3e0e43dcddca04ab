import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import styles from './listening.module.css'
import { useListeningStore } from './store.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useState } from 'react'
import type { Receipt } from '#storage/places-db.ts'
import { Icon } from '#ui/Icon.tsx'
import { receiptWords, when } from './model.ts'

/** Shows whether listening from offline time has been saved or is still pending. */
export function Receipt({ nowMs }: { nowMs: number }) {
  const { receipt, waiting, stuck } = useListeningStore()
  const ended = useSession((state) => state.status === 'ended')
  const offline = !useOnline()
  if (stuck) {
    return (
      <p className={styles.line}>
        This browser stopped saving. Reload the page when it suits you; your place is held.
      </p>
    )
  }
  // During playback there is always a pending place, for up to 30 s.
  if (waiting > 0 && (ended || offline)) {
    return (
      <p className={styles.line}>
        {plural(waiting, 'place')} on this device, saved{' '}
        {ended ? 'once you log in again.' : 'as soon as there is a connection.'}
      </p>
    )
  }
  return receipt ? <SavedLate receipt={receipt} nowMs={nowMs} /> : null
}

interface PlaceNoteProps {
  slug: string
  nowMs: number
}

/** Older receipts are shown on the downloads page only. */
const NEWS_MS = 10 * 60_000

/** One line in the player: this book's place is waiting for a connection, or was saved late. */
export function PlaceNote({ slug, nowMs }: PlaceNoteProps) {
  const { receipt, waiting, stuck } = useListeningStore()
  const offline = !useOnline()
  if (stuck) return 'This browser stopped saving. Reload when it suits you.'
  // Online a place is pending for 30 s at most: not worth mentioning.
  if (waiting > 0 && offline) return 'Your place is kept here until you’re online'
  if (!receipt?.slugs.includes(slug) || nowMs - receipt.savedAtMs > NEWS_MS) return null
  return <SavedLate receipt={receipt} nowMs={nowMs} />
}

/** One line above the bookmarks while some are pending, worded as for places. */
export function BookmarkNote() {
  const waiting = useListeningStore((store) => store.bookmarksWaiting)
  const refused = useListeningStore((store) => store.marksRefused)
  const ended = useSession((state) => state.status === 'ended')
  const offline = !useOnline()
  if (refused > 0)
    return `${plural(refused, 'note')} on this device only: an account holds ${PAGE_SIZE.bookmarks.toLocaleString('en-GB')} bookmarks and the same number of highlights. Remove one you don’t need and we’ll save ${refused === 1 ? 'it' : 'them'}.`
  // Online they are pending only briefly: not worth mentioning.
  if (waiting === 0 || !(ended || offline)) return null
  const until = ended ? 'once you log in again.' : 'as soon as there is a connection.'
  return `${plural(waiting, 'change')} on this device, saved ${until}`
}

/** A tick for places saved late; a press shows how much was heard, and when. */
function SavedLate({ receipt, nowMs }: { receipt: Receipt; nowMs: number }) {
  const [open, setOpen] = useState(false)
  const at = (ms: number) => when(new Date(ms).toISOString(), nowMs)
  const words = receiptWords(receipt.listenedSeconds, at(receipt.heardFromMs), at(receipt.savedAtMs))
  if (!words) return null
  return (
    <button type="button" className={styles.saved} aria-expanded={open} onClick={() => setOpen(!open)}>
      <Icon of={CheckIcon} size={16} />
      {open ? words : 'Saved'}
    </button>
  )
}
