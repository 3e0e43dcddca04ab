import type { QueryClient } from '@tanstack/react-query'
import type { RegisteredRouter } from '@tanstack/react-router'
import { onStorageRefused } from '#storage/page-storage.ts'
import { installPlayer } from '#features/player/lazy.ts'
import { followBrowser } from '#net/connectivity.ts'
import { restore, startSession } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { untilLoaded } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import { leaveFirstPage } from './first-page.ts'
import { watchInstall } from '../pop-ups/install.ts'
import { nameMissingParts } from '../problems/FailedScreen.tsx'
import { whenSessionEnds } from './when-session-ends.ts'

/** Starts what lives as long as the app and belongs to no screen. Once, before the first render. */
export function startApp({
  router,
  queryClient,
}: {
  router: RegisteredRouter
  queryClient: QueryClient
}): void {
  nameMissingParts()
  onStorageRefused(() =>
    toast('Your browser blocks storage, so your bag and log-in last until you close this page.', {
      forMilliseconds: 8_000,
    }),
  )
  startSession({ onEnded: whenSessionEnds(router) })
  // Beside the first view: whoever is here by then has their places and downloads opened at once.
  const owner = untilLoaded(() => import('./follow-owner.ts')).then(({ followOwner, followWorker }) => {
    followWorker(queryClient)
    followOwner(queryClient)
  })
  installPlayer({
    // Dexie and what leans on it come with the first sound, not with the first page.
    ports: async () => {
      const { playerPorts } = await import('../player-ports.ts')
      await owner
      return playerPorts(queryClient)
    },
    onStart: async (engine) =>
      (await import('#features/listening/follow-player.ts')).followPlayer(engine, queryClient),
    visit: (path) => router.history.push(path),
  })
  watchInstall()
  useSession.subscribe(({ user }) => {
    if (user?.outlet)
      void import('./stay-at-point-of-sale.ts').then(({ stayAtPointOfSale }) => stayAtPointOfSale(router))
  })
  // Before the first press, but not before the first paint: nothing has changed until then.
  void import('../page/announce-screens.ts').then(({ announceScreens }) => announceScreens(router))
  void restore()
  followBrowser(window)
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) leaveFirstPage()
  })
  afterFirstPaint(
    () =>
      void import('./after-first-paint.ts').then(({ startAfterFirstPaint }) =>
        startAfterFirstPaint(queryClient),
      ),
  )
}

/** Parts that the first view does not need wait until it is painted and the page has a free moment. */
function afterFirstPaint(work: () => void): void {
  const soon = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 2_000 }) : setTimeout(work, 200)
  if (document.readyState === 'complete') soon()
  else window.addEventListener('load', soon, { once: true })
}
