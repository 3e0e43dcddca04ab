import { cx } from './cx.ts'
import styles from './Wordmark.module.css'

export interface WordmarkProps {
  name: string
  /** Across the footer. */
  large?: boolean | undefined
}

export function Wordmark({ name, large }: WordmarkProps) {
  return <span className={cx(styles.mark, large && styles.large)}>{name}</span>
}
