import { PAGE_SIZE } from '#contract/limits.ts'
import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { useListeningStore } from './store.ts'

/** One line above the bookmarks where some wait, in the words that places have. */
export function BookmarkNote() {
  const waiting = useListeningStore((store) => store.bookmarksWaiting)
  const refused = useListeningStore((store) => store.marksRefused)
  const ended = useSession((state) => state.status === 'ended')
  const offline = !useOnline()
  if (refused > 0)
    return `${plural(refused, 'note')} on this device only: an account holds ${PAGE_SIZE.bookmarks.toLocaleString('en-GB')} bookmarks and the same number of highlights. Remove one you don’t need and we’ll save ${refused === 1 ? 'it' : 'them'}.`
  // Online they wait for a moment only: not worth mentioning.
  if (waiting === 0 || !(ended || offline)) return null
  const until = ended ? 'once you log in again.' : 'as soon as there is a connection.'
  return `${plural(waiting, 'change')} on this device, saved ${until}`
}
