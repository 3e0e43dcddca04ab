import { type ComponentProps, type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { Icon } from './Icon.tsx'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'

interface FieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'style'> {
  trailing?: ReactNode | undefined
}

/** A single-line text field. Takes the props of `<input>`, so `{...register('email')}` fits. */
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

interface FieldWords {
  label: ReactNode
  /** Help below the box; the error replaces it. */
  hint?: ReactNode | undefined
  error?: string | undefined
}

interface FieldFrameProps extends FieldWords {
  id?: string | undefined
  className?: string | undefined
  children: (wiring: FieldWiring) => ReactNode
}

interface FieldWiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label above, box, hint or error below, and the ids that connect them. */
function FieldFrame({ label, hint, error: newest, id: givenId, className, children }: FieldFrameProps) {
  const error = useUntilRelease(newest)
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

/**
 * The error before the mouse button was pressed, until it is released. A press moves the focus out of a field; if its
 * error appeared at once, it would push the pressed control away from the pointer, and the click would be lost.
 */
function useUntilRelease(error: string | undefined): string | undefined {
  const [shown, setShown] = useState(error)
  const hasChanged = shown !== error
  // Without a change, a press renders nothing.
  const isHeld = useSyncExternalStore(
    onMouseButton,
    () => hasChanged && isMouseDown,
    () => false,
  )
  if (hasChanged && !isHeld) setShown(error)
  return isHeld ? shown : error
}

let isMouseDown = false

function onMouseButton(notify: () => void): () => void {
  const listeners = new AbortController()
  const options = { capture: true, signal: listeners.signal }
  const become = (isDown: boolean) => {
    isMouseDown = isDown
    notify()
  }
  addEventListener('mousedown', ({ button }) => button === 0 && become(true), options)
  // A drag and a context menu take the release for themselves.
  for (const end of ['mouseup', 'dragend', 'contextmenu']) addEventListener(end, () => become(false), options)
  return () => {
    listeners.abort()
    isMouseDown = false
  }
}

interface TextAreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'style'> {}

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

export interface SelectFieldProps extends FieldWords, Omit<ComponentProps<'select'>, 'style'> {}

/** A native select: 249 countries scroll best in the phone's own picker. */
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

/** An email address; if it is another person's, pass `autoComplete="off"`. */
export const EmailField = ({
  label = 'Email',
  autoComplete = 'email',
  ...field
}: Omit<FieldProps, 'type' | 'inputMode' | 'label'> & Partial<Pick<FieldProps, 'label'>>) => (
  <Field {...field} label={label} type="email" inputMode="email" autoComplete={autoComplete} />
)

/** A password field with a button to show it. The visible "Show" or "Hide" isn't announced. */
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
