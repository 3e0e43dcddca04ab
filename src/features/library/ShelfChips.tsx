import { Chip } from '#ui/Chip.tsx'
import type { Shelf } from './model.ts'
import styles from './library.module.css'

const SHELVES: readonly (readonly [Shelf, string])[] = [
  ['downloaded', 'Downloaded'],
  ['all', 'All'],
  ['audiobooks', 'Audiobooks'],
  ['ebooks', 'E-books'],
  ['finished', 'Finished'],
]

interface ShelfChipsProps {
  chosen: Shelf
  onChoose: (shelf: Shelf) => void
}

export function ShelfChips({ chosen, onChoose }: ShelfChipsProps) {
  return (
    <div className={styles.chips} role="group" aria-label="Show">
      {SHELVES.map(([shelf, label]) => (
        <Chip key={shelf} pressed={shelf === chosen} onClick={() => onChoose(shelf)}>
          {label}
        </Chip>
      ))}
    </div>
  )
}
