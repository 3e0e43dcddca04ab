import { Button } from '#ui/Button.tsx'
import styles from './-LoadMore.module.css'

interface LoadMoreProps {
  /** False where everything is loaded: then there is nothing. */
  more: boolean
  busy: boolean
  onPress: () => void
}

export function LoadMore({ more, busy, onPress }: LoadMoreProps) {
  if (!more) return null
  return (
    <div className={styles.more}>
      <Button look="quiet" busy={busy} onClick={onPress}>
        Load more
      </Button>
    </div>
  )
}
