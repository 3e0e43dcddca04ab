import { cx } from './cx.ts'
import styles from './Flock.module.css'

export interface FlockProps {
  className?: string | undefined
  /** Without the air above and below: where it stands in the flow. */
  cropped?: boolean | undefined
}

/** A starling flock in the text colour. Decoration only; the one who places it decides size and faintness. */
export function Flock({ className, cropped }: FlockProps) {
  return <span className={cx(styles.flock, cropped && styles.cropped, className)} aria-hidden="true" />
}
