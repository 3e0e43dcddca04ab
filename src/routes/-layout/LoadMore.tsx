import { Button } from '#ui/Button.tsx'
import styles from './layout.module.css'

interface LoadMoreProps {
  /** False when everything is loaded, and then nothing is drawn. */
  more: boolean
  busy: boolean
  /** The last page could not be loaded. */
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
