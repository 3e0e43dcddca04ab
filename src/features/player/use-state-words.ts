import { useSyncExternalStore } from 'react'
import { stateWords } from './state-words.ts'
import { usePlayer } from './store.ts'
import { useDownload } from './use-player.ts'

/** The words of the state line, as they are true now. */
export function useStateWords(): { words: string; fromHere: boolean } {
  const state = usePlayer((store) => store.state)
  const ports = usePlayer((store) => store.player?.ports)
  const { stored, state: download } = useDownload(state.title)
  const online = useSyncExternalStore(
    ports?.connectivity.subscribe ?? (() => () => undefined),
    () => ports?.connectivity.isOnline() ?? true,
  )
  // Before the first play the engine may not have asked yet where the chapter lies.
  const paused = state.status === 'paused' || state.status === 'ended'
  const fromHere = state.stored || (paused && stored.has(state.chapter))
  return {
    words: stateWords(state, {
      online,
      here: fromHere,
      keptAhead: download === 'none',
      isUser: ports?.isUser() ?? true,
    }),
    fromHere: fromHere && !state.wentElsewhere,
  }
}
