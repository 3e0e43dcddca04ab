import { Skeleton } from '#ui/Skeleton.tsx'
import styles from './library.module.css'

/** The boxes of four titles, exactly where the covers will stand. */
export function LibraryWaiting() {
  return (
    <div role="group" className={styles.grid} aria-busy="true" aria-label="Loading your library">
      {[0, 1, 2, 3].map((box) => (
        <div key={box} className={styles.item}>
          <Skeleton ratio="1" cover />
          <Skeleton height={4} />
          <Skeleton height={20} width="70%" />
          <Skeleton height={16} width="40%" />
        </div>
      ))}
    </div>
  )
}
