import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import type { ComponentProps } from 'react'
import styles from './Field.module.css'
import { FieldFrame, type FieldWords } from './FieldFrame.tsx'
import { Icon } from './Icon.tsx'

export interface SelectFieldProps extends FieldWords, Omit<ComponentProps<'select'>, 'style'> {}

/** The platform's own select: 249 countries scroll best in the phone's own wheel. */
export function SelectField({ label, hint, error, id, className, children, ...select }: SelectFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} id={id} className={className}>
      {(wiring) => (
        <span className={styles.box}>
          <select {...select} {...wiring} className={styles.input}>
            {children}
          </select>
          <Icon of={CaretDownIcon} size={20} className={styles.chevron} />
        </span>
      )}
    </FieldFrame>
  )
}
