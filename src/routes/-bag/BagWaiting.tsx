import { Skeleton } from '#ui/Skeleton.tsx'
import { PageTop } from '../-layout/PageTop.tsx'
import styles from './BagScreen.module.css'

/** Boxes in place of the bag while it loads. */
export function BagWaiting() {
  return (
    <div aria-busy="true">
      <PageTop title="Shopping bag" />
      <div className={styles.columns}>
        <div>
          <Skeleton height="140px" />
        </div>
        <Skeleton height="280px" />
      </div>
    </div>
  )
}
