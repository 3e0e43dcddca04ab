import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './Choice.module.css'
import { cx } from './cx.ts'
import fieldStyles from './Field.module.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'style' | 'children'> {
  label: ReactNode
  note?: ReactNode | undefined
  error?: string | undefined
}

export function Checkbox({ label, note, error, className, ...input }: CheckboxProps) {
  const errorId = useId()
  return (
    <div className={cx(className, error && styles.invalid)}>
      <label className={styles.choice}>
        <input
          {...input}
          type="checkbox"
          className={styles.box}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : input['aria-describedby']}
        />
        <span className={cx(styles.words, styles.strong)}>
          {label}
          {note && <span className={styles.note}>{note}</span>}
        </span>
      </label>
      {error && (
        <p id={errorId} className={fieldStyles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'style' | 'children'> {
  label: ReactNode
  note?: ReactNode | undefined
}

/** Takes effect at once; use Checkbox for a choice that is submitted by a button. */
export function Switch({ label, note, className, ...input }: SwitchProps) {
  return (
    <label className={cx(styles.choice, styles.switchRow, className)}>
      <span className={styles.words}>
        {label}
        {note && <span className={styles.note}>{note}</span>}
      </span>
      <input {...input} type="checkbox" role="switch" className={styles.track} />
    </label>
  )
}
