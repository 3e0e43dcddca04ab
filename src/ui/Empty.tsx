import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Display } from './Display.tsx'
import { cx } from './cx.ts'
import styles from './layout.module.css'
import { Flock } from './Flock.tsx'

interface EmptyProps {
  title: ReactNode
  help?: ReactNode | undefined
  action?: ReactNode | undefined
  /** `h1` if it is the whole page. */
  level?: 'h1' | 'h2' | 'h3' | 'p' | undefined
  /** Words only, directly below the field or the list that they answer. */
  plain?: boolean | undefined
}

export function Empty({ title, help, action, level = 'h2', plain }: EmptyProps) {
  return (
    <div className={cx(styles.empty, plain && styles.plain)}>
      {!plain && <Flock cropped className={styles.flock} />}
      <Display as={level} size={level === 'h1' ? 'lg' : 'md'}>
        {title}
      </Display>
      {help && <p className={styles.help}>{help}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

interface CannotLoadProps extends Pick<EmptyProps, 'title' | 'help'> {
  busy?: boolean | undefined
  onRetry: () => unknown
}

/** Shown instead of content that could not be loaded. */
export const CannotLoad = ({ busy, onRetry, ...empty }: CannotLoadProps) => (
  <Empty
    {...empty}
    action={
      <Button look="solid" busy={busy} onClick={() => void onRetry()}>
        Try again
      </Button>
    }
  />
)
