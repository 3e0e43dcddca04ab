import type { ReactNode } from 'react'
import styles from './Tools.module.css'

export interface ToolProps {
  /** Begins with what is seen. */
  label: string
  onPress: () => void
  children: ReactNode
}

/** One tool in the row below the transport: an icon or a number, and its name. */
export function Tool({ label, onPress, children }: ToolProps) {
  return (
    <button type="button" className={styles.tool} aria-label={label} onClick={onPress}>
      {children}
    </button>
  )
}
