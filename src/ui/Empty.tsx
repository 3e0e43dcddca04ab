import type { ReactNode } from 'react'
import { Display } from './Display.tsx'
import styles from './layout.module.css'
import { Flock } from './Flock.tsx'

export interface EmptyProps {
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
