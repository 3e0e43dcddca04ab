import type { QueryClient } from '@tanstack/react-query'
import { EVERYONES_OWN, ownKey } from '#features/query-keys.ts'
import type { LengthsOf } from '#sync/follow-server.ts'
import { localStore } from '#storage/page-storage.ts'
import { admit, readRemovals } from '#storage/removals.ts'
import { forgetPersonalAnswers, type PageMessage } from '#storage/messages.ts'
import { openDownloadsOf, resumeDownloads } from '#features/downloads/lazy.ts'
import { followLibrary } from '#features/library/follow-library.ts'
import { forgetStarted } from '#features/library/started.ts'
import { ownTitlesQuery, libraryQuery } from '#features/library/queries.ts'
import { openListeningOf, sendWaiting } from '#features/listening/lazy.ts'
import { lastPlayedChapterTitle } from '#features/player/last-played.ts'
import { registerUserScope, userScopesClosed } from '#session/user-scope.ts'
import { currentOwner, currentSession, type SessionState, useSession } from '#session/store.ts'
import { forgetPolite } from '#ui/announce.ts'
import { untilLoaded } from '#ui/lazy-part.tsx'
import { forgetToasts } from '#ui/toast.ts'

/**
 * Registers the user scopes that live as long as the app; the player and screens (gift, checkout,
 * card) register their own. `session/user-scope.ts` has the whole list and its order.
 */
export function followOwner(queryClient: QueryClient): void {
  followRemovals()
  followMembership()
  void import('./follow-contact.ts').then(({ followContact }) => followContact())
  // Load the library with the login (SESS-14), so that the service worker stores it for offline use.
  const loadShelf = (ownerUuid: string) => {
    if (currentSession().status === 'user') void queryClient.prefetchInfiniteQuery(libraryQuery(ownerUuid))
    // Read the stored titles before the press on Library.
    void queryClient.prefetchQuery(ownTitlesQuery(ownerUuid))
  }
  let stopFollowing = () => {}
  let stopFollowingStarted = () => {}
  registerUserScope('answers', {
    open(ownerUuid) {
      void admit(ownerUuid)
      stopFollowing()
      stopFollowing = followLibrary(queryClient, ownerUuid)
      stopFollowingStarted()
      stopFollowingStarted = followStartedOf(ownerUuid)
      loadShelf(ownerUuid)
    },
    resume: loadShelf,
    close() {
      stopFollowing()
      stopFollowingStarted()
      forgetStarted()
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
  // A toast may offer to undo an action of this user.
  registerUserScope('notices', {
    close() {
      forgetToasts()
      forgetPolite()
    },
  })
}

/** Loads its code, and Dexie's, in parallel with the first view. Returns a function that stops it. */
function followStartedOf(ownerUuid: string): () => void {
  const stop = new AbortController()
  void untilLoaded(() => import('#features/library/follow-started.ts')).then(({ followStarted }) => {
    if (!stop.signal.aborted)
      stop.signal.addEventListener('abort', followStarted(ownerUuid, lastPlayedChapterTitle))
  })
  return () => stop.abort()
}

/** Finishes removals of people's data that an earlier start or another tab began. */
function followRemovals(): void {
  void finishRemovals({ isStart: true })
  // Another tab may have removed the user's data just before this tab wrote their last place.
  useSession.subscribe(({ status }, before) => {
    if (status === 'visitor' && before.status !== 'visitor') void finishRemovals({ isStart: false })
  })
}

/** Loads the removal code only if a removal is pending. A failed removal is retried at the next start. */
async function finishRemovals(when: { isStart: boolean }): Promise<void> {
  try {
    await userScopesClosed()
    if ((await readRemovals()).length > 0) await (await import('#sync/leave.ts')).finishRemovals(when)
  } catch (failure) {
    reportError(failure)
  }
}

/** Refetches data that the service worker served from its cache, once the server's answer differs. */
export function followWorker(
  queryClient: QueryClient,
  worker: Pick<ServiceWorkerContainer, 'addEventListener'> | undefined = navigator.serviceWorker,
): void {
  worker?.addEventListener('message', ({ data }: MessageEvent<PageMessage | undefined>) => {
    if (data?.type === 'SHELF_RENEWED')
      void queryClient.invalidateQueries({ queryKey: ownKey(data.ownerUuid, 'library') })
  })
}

/** The key is known to index.html: pages are sent as a visitor's, and a member's device lays them out as a member's. */
const MEMBER = 'member'

function followMembership(): void {
  const store = ({ ready, status, user }: SessionState) => {
    if (!ready || (status === 'user' && user === null)) return
    const isMember = user?.currentSubscription != null
    if (isMember) localStore.setItem(MEMBER, '1')
    else localStore.removeItem(MEMBER)
    document.documentElement.toggleAttribute('data-member', isMember)
  }
  store(useSession.getState())
  useSession.subscribe(store)
}
