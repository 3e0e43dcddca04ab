import styles from './BillingToggle.module.css'

interface BillingToggleProps {
  yearly: boolean
  onChange: (yearly: boolean) => void
}

/** By the month or by the year: a pair of radios in one pill. */
export function BillingToggle({ yearly, onChange }: BillingToggleProps) {
  const side = (label: string, value: boolean) => (
    <label>
      <input type="radio" name="billing" checked={yearly === value} onChange={() => onChange(value)} />
      {label}
    </label>
  )
  return (
    <div className={styles.row}>
      <div className={styles.pill} role="radiogroup" aria-label="Pay">
        {side('Monthly', false)}
        {side('Annually', true)}
      </div>
      <p>2 months free on annual</p>
    </div>
  )
}
