import { BarcodeIcon } from '@phosphor-icons/react/dist/csr/Barcode'
import { useEffect, useRef, type FormEvent } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './ActivationForm.module.css'
import { canActivate, isBuyerEmail } from './activation.ts'

interface ActivationFormProps {
  code: string
  email: string
  emailRequired: boolean
  busy: boolean
  /** The code was refused: it is marked, and typing replaces it. */
  refused: boolean
  scanning: boolean
  onType: (code: string) => void
  onAddress: (email: string) => void
  onActivate: () => void
  onScan: () => void
}

/** One field that always has the focus: a scanner types into it and presses Enter (RESL-05 to RESL-09). */
export function ActivationForm(props: ActivationFormProps) {
  const { code, email, emailRequired, busy, refused, scanning } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (scanning || isTyping(field.current)) return
    field.current?.focus({ preventScroll: true })
    if (refused) field.current?.select()
  }, [refused, scanning, busy])
  useStrayKeys(field)

  const emailIsWrong = !isBuyerEmail(email, emailRequired)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onActivate()
    field.current?.focus({ preventScroll: true })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.code}>
        <Field
          ref={field}
          label="Activation code"
          value={code}
          onChange={(event) => props.onType(event.target.value)}
          // Not by way of the button, which takes no press while a card is on its way.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            props.onActivate()
          }}
          placeholder="Next card"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={64}
          className={refused ? styles.refused : undefined}
          aria-required
        />
        <button type="button" className={styles.scan} onClick={props.onScan} aria-pressed={scanning}>
          <Icon of={BarcodeIcon} size={26} />
          Scan
        </button>
      </div>
      <EmailField
        label={
          <>
            Buyer email{' '}
            <span className={styles.optional}>
              ({emailRequired ? 'required, for the receipt' : 'optional, for a receipt'})
            </span>
          </>
        }
        autoComplete="off"
        value={email}
        onChange={(event) => props.onAddress(event.target.value)}
        aria-required={emailRequired}
        error={email.trim() !== '' && emailIsWrong ? MESSAGES.emailMustBeValid : undefined}
      />
      <Button
        type="submit"
        look="beak"
        tall
        busy={busy}
        aria-disabled={!canActivate({ code, email, emailRequired })}
      >
        Activate card
      </Button>
    </form>
  )
}

/** Into another field: an address must not end as a code. */
const isTyping = (field: HTMLInputElement | null) =>
  document.activeElement instanceof HTMLInputElement && document.activeElement !== field

/** A scanner types wherever the focus is: what would go nowhere goes into the field. */
function useStrayKeys(field: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const onKey = ({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (target === document.body && key.length === 1 && !ctrlKey && !metaKey && !altKey)
        field.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [field])
}
