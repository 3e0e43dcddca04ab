import { useState, type FormEvent } from 'react'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import styles from './redemption.module.css'
import { typedCode } from './model.ts'

interface RedemptionFormProps {
  code: string
  onType: (code: string) => void
  /** With the trimmed code; the form stays as it is until this is done. */
  onRedeem: (code: string) => Promise<unknown>
  /** Why the code is still here. */
  notice: string
}

/** One field and one button (RDM-01, RDM-02). */
export function RedemptionForm({ code, onType, onRedeem, notice }: RedemptionFormProps) {
  const [busy, setBusy] = useState(false)
  const typed = typedCode(code)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || typed === '') return
    setBusy(true)
    await onRedeem(typed).finally(() => setBusy(false))
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field
        className={styles.code}
        label="Redemption Code"
        value={code}
        onChange={(event) => onType(event.target.value)}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
        readOnly={busy}
      />
      {notice && (
        <p className={styles.notice} role="alert">
          {notice}
        </p>
      )}
      <Button
        type="submit"
        look="beak"
        block
        busy={busy}
        disabledReason={typed === '' ? 'Enter your code first.' : undefined}
      >
        Redeem your audiobook
      </Button>
    </form>
  )
}
