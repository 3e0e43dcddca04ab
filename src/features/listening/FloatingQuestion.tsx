import { useListeningStore } from './store.ts'
import { usePlayer } from '#features/player/store.ts'
import styles from './FloatingQuestion.module.css'
import { TwoPlacesQuestion } from './TwoPlacesQuestion.tsx'

/** One question at a time, above the bars; in the full player it has its own place there. */
export function FloatingQuestion() {
  const question = useListeningStore((state) => state.twoPlaces.find(({ slug }) => !state.putOff?.has(slug)))
  const inPlayer = usePlayer((store) => store.display === 'full')
  if (!question || inPlayer) return null
  return (
    <div className={styles.slot} role="region" aria-label="Two places">
      <TwoPlacesQuestion question={question} named />
    </div>
  )
}
