import type { ComponentProps, ReactNode } from 'react'
import styles from './Choice.module.css'
import { cx } from './cx.ts'

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'style' | 'children'> {
  label: ReactNode
  note?: ReactNode | undefined
}

/** Takes effect at once; for something that waits for a button use Checkbox. */
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
