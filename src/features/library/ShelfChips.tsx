import type { ReactNode } from 'react'
import { Chip } from '#ui/Chip.tsx'
import styles from './library.module.css'
import { SHOWN, type Shown } from './view.ts'

const ORDER: readonly Shown[] = ['downloaded', 'all', 'begun', 'unheard', 'finished', 'audiobooks', 'ebooks']

interface ShelfChipsProps {
  /** Undefined where a shelf of one's own is chosen. */
  chosen: Shown | undefined
  onChoose: (shown: Shown) => void
  /** Shelves of one's own. */
  children?: ReactNode
}

export function ShelfChips({ chosen, onChoose, children }: ShelfChipsProps) {
  return (
    <div className={styles.chips} role="group" aria-label="Show">
      {ORDER.map((shown) => (
        <Chip key={shown} pressed={shown === chosen} onClick={() => onChoose(shown)}>
          {SHOWN[shown]}
        </Chip>
      ))}
      {children}
    </div>
  )
}
