import type { ComponentProps } from 'react'
import styles from './Field.module.css'
import { FieldFrame, type FieldWords } from './FieldFrame.tsx'

export interface TextAreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'style'> {}

export function TextArea({ label, hint, error, id, className, ...area }: TextAreaProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id} className={className}>
      {(wiring) => (
        <span className={styles.box}>
          <textarea {...area} {...wiring} className={styles.input} />
        </span>
      )}
    </FieldFrame>
  )
}
