import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Display } from './Display.tsx'
import styles from './layout.module.css'
import { Flock } from './Flock.tsx'

interface EmptyProps {
  title: ReactNode
  help?: ReactNode | undefined
  action?: ReactNode | undefined
  /** `h1` if it is the whole page. */
  level?: 'h1' | 'h2' | 'h3' | 'p' | undefined
}

export function Empty({ title, help, action, level = 'h2' }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Flock cropped className={styles.flock} />
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
