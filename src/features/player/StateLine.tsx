import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useSyncExternalStore } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Icon } from '#ui/Icon.tsx'
import type { EngineState } from './engine-events.ts'
import { usePlayer } from './store.ts'
import styles from './StateLine.module.css'

/** Where the sound comes from, or what it waits for. */
export function StateLine() {
  const state = usePlayer((store) => store.state)
  const connectivity = usePlayer((store) => store.player?.ports.connectivity)
  const online = useSyncExternalStore(
    connectivity?.subscribe ?? (() => () => undefined),
    () => connectivity?.isOnline() ?? true,
  )
  const fromHere = state.stored && state.waitingFor === undefined
  return (
    <p className={styles.line}>
      {fromHere && <Icon of={CheckIcon} size={18} />}
      {stateWords(state, online)}
    </p>
  )
}

export function stateWords({ title, waitingFor, stored }: EngineState, online: boolean): string {
  if (!title || title.chapters.length === 0) return 'No sound yet'
  if (waitingFor === 'chapter') return MESSAGES.loadingNextChapter
  if (waitingFor === 'sound') return online ? 'Fetching more of this chapter' : 'Waiting for a connection'
  if (title.kind === 'sample') return 'Sample'
  return stored ? 'Playing from downloads' : 'Streaming'
}
