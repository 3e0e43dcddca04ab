import type { QueryClient } from '@tanstack/react-query'
import { listenTo } from '#features/player/lazy.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { useSamples, type SamplePorts } from '#features/samples/store.ts'

/** One sound at a time: a sample pauses the player, and the player a sample, in all windows and tabs. */
export function samplePorts(queryClient: QueryClient, visit: (path: string) => void): SamplePorts {
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
      void import('#features/listening/claim-sound.ts').then(({ claimSound }) => {
        releaseClaim()
        releaseClaim = claimSound(onPlay)
      })
    },
    volume: () => usePlayer.getState().state.volume,
    listen: (slug) =>
      void listenTo({ slug, kind: 'book' }, () => visit(`/player/${encodeURIComponent(slug)}`)),
  }
}
