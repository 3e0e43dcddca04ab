import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './StateLine.module.css'
import { usePlayer } from './store.ts'
import { useStateWords } from './use-state-words.ts'

/** The source of the sound, or what it waits for; below it a short note about the place. */
export function StateLine({ note }: { note?: ReactNode }) {
  const waiting = usePlayer(({ state }) => state.waitingFor !== undefined)
  const { words, isOnDevice } = useStateWords()
  return (
    <div className={styles.lines}>
      <p className={styles.line}>
        {isOnDevice && !waiting && <Icon of={CheckIcon} size={18} />}
        {words}
      </p>
      <p className={styles.note}>{note}</p>
    </div>
  )
}
