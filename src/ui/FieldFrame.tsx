import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { Icon } from './Icon.tsx'

export interface FieldWords {
  label: ReactNode
  /** Help below the box; gives way to the error. */
  hint?: ReactNode | undefined
  /** What to put right, in words. Marks the box invalid. */
  error?: string | undefined
}

interface FieldFrameProps extends FieldWords {
  id?: string | undefined
  className?: string | undefined
  children: (wiring: FieldWiring) => ReactNode
}

export interface FieldWiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label above, box, hint or error below, and the ids that tie them together. */
export function FieldFrame({ label, hint, error, id: givenId, className, children }: FieldFrameProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const noteId = `${id}-note`
  const note = error ?? hint

  return (
    <div className={cx(styles.field, error && styles.invalid, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': note ? noteId : undefined,
      })}
      {note && (
        <p id={noteId} className={error ? styles.error : styles.hint}>
          {error && <Icon of={WarningCircleIcon} size={20} />}
          <span>{note}</span>
        </p>
      )}
    </div>
  )
}
