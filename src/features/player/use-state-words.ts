import { useSyncExternalStore } from 'react'
import { useSession } from '#session/store.ts'
import { stateWords } from './state-words.ts'
import { usePlayer } from './store.ts'
import { useTitleDownload } from './use-player.ts'

/** The words of the state line, as they are true now. */
export function useStateWords(): { words: string; isOnDevice: boolean } {
  const state = usePlayer((store) => store.state)
  const ports = usePlayer((store) => store.player?.ports)
  const { stored, state: download } = useTitleDownload(state.title)
  const isUser = useSession((session) => session.status === 'user')
  const online = useSyncExternalStore(
    ports?.connectivity.subscribe ?? (() => () => undefined),
    () => ports?.connectivity.isOnline() ?? true,
  )
  // Before the first play the engine may not have asked yet where the chapter lies.
  const paused = state.status === 'paused' || state.status === 'ended'
  const here = state.stored || (paused && stored.has(state.chapter))
  const savedSince = !here && download === 'done'
  return {
    words: stateWords(state, {
      online,
      here,
      savedSince,
      storedAhead: download === 'none',
      isUser,
    }),
    isOnDevice: (here || savedSince) && !state.wentElsewhere,
  }
}
