import type { ReactNode } from 'react'
import styles from './Tools.module.css'

export interface ToolProps {
  /** Begins with what is seen. */
  label: string
  onPress: () => void
  children: ReactNode
}

/** One of the row below the transport: a picture or a number, and its word. */
export function Tool({ label, onPress, children }: ToolProps) {
  return (
    <button type="button" className={styles.tool} aria-label={label} onClick={onPress}>
      {children}
    </button>
  )
}
