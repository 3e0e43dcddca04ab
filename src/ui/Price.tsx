import { cx } from './cx.ts'
import styles from './text.module.css'

export interface PriceProps {
  /** The amount that this person pays, already in words: "£12", "Free". */
  now: string
  /** A member's price: what others pay stands beside it, "for members · £12". */
  others?: string | undefined
  /** "£9.60": adds "£9.60 for members". */
  members?: string | undefined
  className?: string | undefined
}

/** The large price of a book page. Cards have their own small line. */
export function Price({ now, others, members, className }: PriceProps) {
  return (
    <p className={cx(styles.price, className)}>
      <span className={styles.large}>{now}</span>
      {others && <span className={styles.beside}>for members · {others}</span>}
      {members && (
        <span className={styles.beside}>
          <b>{members}</b> for members
        </span>
      )}
    </p>
  )
}
