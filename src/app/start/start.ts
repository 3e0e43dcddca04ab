import type { QueryClient } from '@tanstack/react-query'
import type { RegisteredRouter } from '@tanstack/react-router'
import { onStorageRefused } from '#storage/page-storage.ts'
import { installPlayer, listenTo } from '#features/player/lazy.ts'
import { installSamples, useSamples, type SamplePorts } from '#features/samples/store.ts'
import { followBrowser } from '#net/connectivity.ts'
import { restore, startSession } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { untilLoaded } from '#ui/lazy-part.tsx'
import { nextPaint } from '#ui/next-paint.ts'
import { toast } from '#ui/toast.ts'
import { leaveFirstPage } from './first-page.ts'
import { watchInstall } from '../pop-ups/install.ts'
import { nameMissingChunks } from '../problems/MissingChunk.tsx'
import { whenSessionEnds } from './when-session-ends.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'

/** Starts services that live as long as the app. Call once, before the first render. */
export function startApp({
  router,
  queryClient,
}: {
  router: RegisteredRouter
  queryClient: QueryClient
}): void {
  nameMissingChunks()
  onStorageRefused(() =>
    toast('Your browser blocks storage, so your bag and log-in last until you close this page.', {
      forMilliseconds: 8_000,
    }),
  )
  startSession({ onEnded: whenSessionEnds(router) })
  // In parallel to the first view; opens places and downloads of a user who is already known.
  const owner = untilLoaded(() => import('./follow-owner.ts')).then(({ followOwner, followWorker }) => {
    followWorker(queryClient)
    followOwner(queryClient)
  })
  installPlayer({
    // Dexie and its dependents load with the first playback, not with the first page.
    ports: async () => {
      const { playerPorts } = await import('../player-ports.ts')
      await owner
      return playerPorts(queryClient)
    },
    onStart: async (engine) =>
      (await import('#features/listening/follow-player.ts')).followPlayer(engine, queryClient),
    visit: (path) => router.history.push(path),
  })
  installSamples(samplePorts(queryClient, (path) => router.history.push(path)))
  watchInstall()
  useSession.subscribe(({ user }) => {
    if (user?.outlet)
      void import('./stay-at-point-of-sale.ts').then(({ stayAtPointOfSale }) => stayAtPointOfSale(router))
  })
  // Not needed before the first paint: no navigation has happened by then.
  void import('../page/announce-screens.ts').then(({ announceScreens }) => announceScreens(router))
  void restore()
  followBrowser(window)
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) leaveFirstPage()
  })
  afterFirstPaint(
    () =>
      void import('./after-first-paint.ts').then(({ startAfterFirstPaint }) =>
        startAfterFirstPaint(queryClient, router),
      ),
  )
}

/** Runs work after the first paint, when the page is idle. */
function afterFirstPaint(work: () => void): void {
  const soon = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 2_000 }) : setTimeout(work, 200)
  if (document.readyState === 'complete') soon()
  else window.addEventListener('load', soon, { once: true })
}

/** One sound at a time: a sample pauses the player, and the player a sample, in all windows and tabs. */
function samplePorts(queryClient: QueryClient, visit: (path: string) => void): SamplePorts {
  let pauseSample = () => {}
  const offer = (slug: string) =>
    void import('./sample-offer.ts').then(({ offerBook }) => offerBook(queryClient, slug, visit))
  usePlayer.subscribe(({ state, display }, before) => {
    if (wantsSound(state) && !wantsSound(before.state)) pauseSample()
    const { title, status } = state
    // The full player has a screen of its own for it.
    if (
      status === 'ended' &&
      before.state.status !== 'ended' &&
      title?.kind === 'sample' &&
      display === 'mini'
    )
      offer(title.slug)
  })
  useSamples.subscribe(({ status, sample }, before) => {
    if (status === 'ended' && before.status !== 'ended' && sample) offer(sample.slug)
  })
  let releaseClaim = () => {}
  return {
    pausePlayer(onPlay) {
      pauseSample = onPlay
      const { player, controls, state } = usePlayer.getState()
      // The next title must not begin while it is being counted down to.
      player?.nextUp?.no()
      if (wantsSound(state)) controls?.pause()
      void nextPaint()
        .then(() => import('#features/listening/claim-sound.ts'))
        .then(({ claimSound }) => {
          releaseClaim()
          releaseClaim = claimSound(onPlay)
        })
    },
    volume: () => usePlayer.getState().state.volume,
    listen: (slug) =>
      void listenTo({ slug, kind: 'book' }, () => visit(`/player/${encodeURIComponent(slug)}`)),
  }
}
