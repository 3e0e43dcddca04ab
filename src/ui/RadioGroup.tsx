import { useId, type ReactNode } from 'react'
import styles from './Choice.module.css'
import { cx } from './cx.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface RadioOption<T extends string> {
  value: T
  label: ReactNode
  note?: ReactNode | undefined
  disabled?: boolean | undefined
}

interface RadioGroupProps<T extends string> {
  legend: ReactNode
  hideLegend?: boolean | undefined
  options: readonly RadioOption<T>[]
  value: T | undefined
  onChange: (value: T) => void
  boxed?: boolean | undefined
  name?: string | undefined
  className?: string | undefined
}

export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { legend, hideLegend, options, value, onChange, boxed, className } = props
  const ownName = useId()
  const name = props.name ?? ownName
  return (
    <fieldset className={cx(styles.group, className)}>
      <legend className={hideLegend ? undefined : styles.legend}>
        {hideLegend ? <VisuallyHidden>{legend}</VisuallyHidden> : legend}
      </legend>
      <div className={cx(styles.list, boxed && styles.boxedList)}>
        {options.map((option) => (
          <label key={option.value} className={cx(styles.choice, boxed && styles.boxed)}>
            <input
              type="radio"
              className={styles.dot}
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span className={cx(styles.words, styles.strong)}>
              {option.label}
              {option.note && <span className={styles.note}>{option.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
