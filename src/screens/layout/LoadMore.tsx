import { Button } from '#ui/Button.tsx'
import styles from './LoadMore.module.css'

interface LoadMoreProps {
  /** False where everything is loaded: then there is nothing. */
  more: boolean
  busy: boolean
  /** What was asked for last did not come. */
  failed?: boolean
  onPress: () => void
}

export function LoadMore({ more, busy, failed = false, onPress }: LoadMoreProps) {
  if (!more) return null
  return (
    <div className={styles.more}>
      <p role="status" className={styles.failed}>
        {failed && !busy && 'We couldn’t load any more. Please try again.'}
      </p>
      <Button look="quiet" busy={busy} onClick={onPress}>
        Load more
      </Button>
    </div>
  )
}
