import type { ReactNode } from 'react'
import styles from './layout.module.css'

/**
 * The panel below the header: menu, search, bag. Its parent is positioned and says where it ends in `--header-end`.
 */
export const PanelBelow = ({ children }: { children: ReactNode }) => (
  <div className={styles.panel}>{children}</div>
)
