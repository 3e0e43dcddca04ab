import type { QueryClient } from '@tanstack/react-query'
import { openDownloadsOf } from '#features/downloads/door.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { openListeningOf, sendBeforeLogOut } from '#features/listening/door.ts'
import { silencePlayer } from '#features/player/door.ts'
import { beforeLogOut } from '#session/session.ts'
import { useSession } from '#session/store.ts'

/**
 * Places, downloads and what is heard belong to whoever this device belongs to, also after the session ended by itself.
 * The shelf is loaded with the log-in (SESS-14), so that the worker has it for the tunnel. Returns a stop.
 */
export function followOwner(queryClient: QueryClient): () => void {
  const stay = beforeLogOut(async () => {
    // First, so that the last place is among those that are sent.
    silencePlayer()
    await sendBeforeLogOut()
  })
  const unfollow = useSession.subscribe(({ owner, status }, before) => {
    if (owner?.uuid !== before.owner?.uuid) {
      // While the places of whoever listened are still open: the last one is theirs (PLAY-29). A visitor's sample plays on.
      if (before.owner) silencePlayer()
      // A browser without a database plays from the network, and downloads nothing.
      openDownloadsOf(owner?.uuid)?.catch(() => undefined)
      void openListeningOf(owner?.uuid, {
        lengthsOf: async (slug) => (await import('./chapter-lengths.ts')).chapterLengths(queryClient)(slug),
      })
      // Nothing of one listener may be shown to the next (PLAY-29).
      if (before.owner) queryClient.removeQueries({ queryKey: ['own'] })
    } else if (status === before.status) return
    if (owner && status === 'user') void queryClient.prefetchInfiniteQuery(libraryQuery(owner.uuid))
  })
  return () => {
    stay()
    unfollow()
  }
}
