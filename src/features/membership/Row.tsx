import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './state.module.css'

interface RowProps {
  icon: ComponentProps<typeof Icon>['of']
  title: ReactNode
  words?: ReactNode
  children?: ReactNode
}

export const Rows = ({ children }: { children: ReactNode }) => <div className={styles.rows}>{children}</div>

/** One ruled line: what it is, what is known of it, and what can be done. */
export const Row = ({ icon, title, words, children }: RowProps) => (
  <div className={styles.row}>
    <Icon of={icon} />
    <div>
      <b>{title}</b>
      {words && <p>{words}</p>}
    </div>
    {children}
  </div>
)
