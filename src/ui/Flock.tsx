import { cx } from './cx.ts'
import flock from './flock.svg'
import styles from './Flock.module.css'

interface FlockProps {
  className?: string | undefined
  /** Without the empty space above and below: 210 of its 330 rows, from row 28 on. */
  cropped?: boolean | undefined
}

/** A flock of starlings in the text colour. Decorative; the parent sets size and opacity. */
export const Flock = ({ className, cropped }: FlockProps) => (
  <svg
    className={cx(styles.flock, className)}
    viewBox={cropped ? '0 28 760 210' : '0 0 760 330'}
    aria-hidden="true"
  >
    <use href={`${flock}#birds`} />
  </svg>
)
