import type { QueryClient } from '@tanstack/react-query'
import { EVERYONES_OWN } from '#features/query-keys.ts'
import type { LengthsOf } from '#sync/follow-server.ts'
import { admit } from '#storage/removals.ts'
import { forgetPersonalAnswers } from '#storage/messages.ts'
import { openDownloadsOf, resumeDownloads } from '#features/downloads/lazy.ts'
import { ownTitlesQuery, libraryQuery } from '#features/library/queries.ts'
import { openListeningOf, sendWaiting } from '#features/listening/lazy.ts'
import { registerUserScope } from '#session/user-scope.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { forgetPolite } from '#ui/announce.ts'
import { forgetToasts } from '#ui/past-toasts.ts'

/**
 * Registers what of a person lives as long as the app; the player, and what comes with a screen (gift, checkout,
 * card), registers itself. `session/user-scope.ts` has the whole list and its order.
 */
export function followOwner(queryClient: QueryClient): void {
  void import('./follow-removals.ts').then(({ followRemovals }) => followRemovals())
  void import('./follow-contact.ts').then(({ followContact }) => followContact())
  // The shelf is loaded with the log-in (SESS-14), so that the worker has it for the tunnel.
  const loadShelf = (ownerUuid: string) => {
    if (currentSession().status === 'user') void queryClient.prefetchInfiniteQuery(libraryQuery(ownerUuid))
    // What is known of all titles is read before the press on Library.
    void queryClient.prefetchQuery(ownTitlesQuery(ownerUuid))
  }
  registerUserScope('answers', {
    open(ownerUuid) {
      void admit(ownerUuid)
      loadShelf(ownerUuid)
    },
    resume: loadShelf,
    close() {
      queryClient.removeQueries({ queryKey: EVERYONES_OWN })
      return forgetPersonalAnswers(currentOwner())
    },
  })
  registerUserScope('places', {
    open(ownerUuid) {
      const lengthsOf: LengthsOf = async (slug) =>
        (await import('#features/listening/lazy.ts')).chapterLengths(queryClient)(slug)
      openListeningOf(ownerUuid, { lengthsOf })?.catch(() => undefined)
    },
    resume: sendWaiting,
    leave: sendWaiting,
    close: () => openListeningOf(undefined),
  })
  registerUserScope('downloads', {
    // A browser without a database plays from the network, and downloads nothing.
    open: (ownerUuid) => openDownloadsOf(ownerUuid)?.catch(() => undefined),
    resume: resumeDownloads,
    close: () => openDownloadsOf(undefined),
  })
  // A notice may offer to undo what was theirs.
  registerUserScope('notices', {
    close() {
      forgetToasts()
      forgetPolite()
    },
  })
}
