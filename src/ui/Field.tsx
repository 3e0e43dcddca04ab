import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { FieldFrame, type FieldWords } from './FieldFrame.tsx'

export interface FieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'style'> {
  /** Inside the box, after the text: an icon, a small button. */
  trailing?: ReactNode | undefined
}

/** One line of text. Takes what `<input>` takes, so `{...register('email')}` fits. */
export function Field({ label, hint, error, trailing, id, className, ...input }: FieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id} className={className}>
      {(wiring) => (
        <span className={styles.box}>
          <input {...input} {...wiring} className={cx(styles.input)} />
          {trailing}
        </span>
      )}
    </FieldFrame>
  )
}
