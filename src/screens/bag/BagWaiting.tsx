import { Skeleton } from '#ui/Skeleton.tsx'
import { PageTop } from '../layout/PageTop.tsx'
import styles from './BagScreen.module.css'

/** The boxes of what will stand there. */
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
