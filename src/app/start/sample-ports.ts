import { listenTo } from '#features/player/lazy.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import type { SamplePorts } from '#features/samples/store.ts'

/** One sound at a time: a sample pauses the player, and the player a sample, in all windows and tabs. */
export function samplePorts(visit: (path: string) => void): SamplePorts {
  let pauseSample = () => {}
  usePlayer.subscribe(({ state }, before) => {
    if (wantsSound(state) && !wantsSound(before.state)) pauseSample()
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
