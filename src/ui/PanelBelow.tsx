import type { ReactNode } from 'react'
import styles from './layout.module.css'

/**
 * The panel below the header: menu, search, bag. Its positioned parent sets the header's end in
 * `--header-end`.
 */
export const PanelBelow = ({ children }: { children: ReactNode }) => (
  <div className={styles.panel}>{children}</div>
)
