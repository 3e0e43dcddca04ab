import { useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import styles from './PasswordField.module.css'

/** A password that can be looked at. Its label is followed by "Show" or "Hide" for the eye alone. */
export function PasswordField({
  autoComplete = 'current-password',
  ...field
}: Omit<FieldProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...field}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <button
          type="button"
          className={styles.toggle}
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
