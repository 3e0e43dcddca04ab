import { cx } from './cx.ts'
import styles from './Flock.module.css'

export interface FlockProps {
  className?: string | undefined
  /** Without the empty space above and below. */
  cropped?: boolean | undefined
}

/** A flock of starlings in the text colour. Decoration only; whoever uses it sets size and opacity. */
export function Flock({ className, cropped }: FlockProps) {
  return <span className={cx(styles.flock, cropped && styles.cropped, className)} aria-hidden="true" />
}
