import { cx } from '#ui/cx.ts'
import styles from './BillingToggle.module.css'
import { yearlySaving } from './model.ts'

interface BillingToggleProps {
  yearly: boolean
  onChange: (yearly: boolean) => void
  /** As wide as what it stands in; the line beside it goes. */
  fill?: boolean
}

/** By the month or by the year: a pair of radios in one pill. */
export function BillingToggle({ yearly, onChange, fill }: BillingToggleProps) {
  const side = (label: string, value: boolean) => (
    <label>
      <input type="radio" name="billing" checked={yearly === value} onChange={() => onChange(value)} />
      {label}
    </label>
  )
  return (
    <div className={styles.row}>
      <div className={cx(styles.pill, fill && styles.fill)} role="radiogroup" aria-label="Pay">
        {side('Monthly', false)}
        {side('Annually', true)}
      </div>
      {!fill && yearlySaving() && <p>{yearlySaving()} on annual</p>}
    </div>
  )
}
