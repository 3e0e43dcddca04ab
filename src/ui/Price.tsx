import { amount } from '#format/money.ts'
import { cx } from './cx.ts'
import styles from './text.module.css'

interface PriceProps {
  /** The price for this user, formatted: "£12", "Free". */
  now: string
  /** For a member: the price for others, shown next to it: "for members · £12". */
  others?: string | undefined
  /** "£9.60": adds "£9.60 for members". */
  members?: string | undefined
  className?: string | undefined
}

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

interface WasPriceProps {
  /** In pence. */
  before: number
  now: number
  className?: string
}

/** The price before a reduction, crossed out. Screen readers often ignore `s`, so it begins with "Was". */
export const WasPrice = ({ before, now, className }: WasPriceProps) =>
  before > now ? (
    <s className={className}>
      <span className="visually-hidden">Was </span>
      {amount(before)}
    </s>
  ) : null
