import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { useListeningStore } from './store.ts'

/** One line above the bookmarks where some wait, in the words that places have. */
export function BookmarkNote() {
  const waiting = useListeningStore((store) => store.bookmarksWaiting)
  const ended = useSession((state) => state.status === 'ended')
  const offline = !useOnline()
  // Online they wait for a moment only: not worth mentioning.
  if (waiting === 0 || !(ended || offline)) return null
  const until = ended ? 'once you log in again.' : 'as soon as there is a connection.'
  return `${plural(waiting, 'change')} on this device, saved ${until}`
}
