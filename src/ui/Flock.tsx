import { cx } from './cx.ts'
import styles from './Flock.module.css'

interface FlockProps {
  className?: string | undefined
  /** Without the empty space above and below. */
  cropped?: boolean | undefined
  /** In the shape of a fir, at Christmas. */
  fir?: boolean | undefined
}

/** A flock of starlings in the text colour. Decorative; the parent sets size and opacity. */
export function Flock({ className, cropped, fir }: FlockProps) {
  const shape = fir ? styles.fir : cx(styles.flock, cropped && styles.cropped)
  return <span className={cx(shape, className)} aria-hidden="true" />
}
