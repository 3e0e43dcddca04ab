import type { ReactNode } from 'react'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { Cover } from '#ui/Cover.tsx'
import styles from './queue.module.css'

interface RowProps {
  entry: ShelfEntry
  words: string
  first?: boolean
  children: ReactNode
}

export const Row = ({ entry, words, first = false, children }: RowProps) => (
  <div className={first ? styles.next : styles.row}>
    <Cover picture={entry.picture} alt="" sizes="48px" thumb className={styles.cover} />
    <div>
      <b className={styles.title}>{entry.title}</b>
      <small className={styles.words}>{words}</small>
    </div>
    {children}
  </div>
)
