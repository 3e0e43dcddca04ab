import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useWrite } from '#writes/use-write.ts'
import styles from './CodeField.module.css'
import { CODE_KEY, codeProblemMessage } from './mutations.ts'

interface CodeFieldProps {
  applied: { readonly code: string; readonly effect: string } | undefined
  /** Resolves with the code as the server writes it; rejects if it can't be used. */
  apply: (typed: string) => Promise<string>
  remove: () => Promise<unknown>
}

/** One field and one button; an applied code takes their place, with a button to remove it. */
export function CodeField({ applied, apply, remove }: CodeFieldProps) {
  const [typed, setTyped] = useState('')
  const appliedBox = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const wasPressed = useRef(false)
  const applying = useWrite(apply, {
    key: CODE_KEY,
    message: codeProblemMessage,
    onSuccess(code) {
      announce(`Code ${code} applied.`)
      setTyped('')
    },
    onFailure: (problem) => announce(codeProblemMessage(problem)),
  })
  const removing = useWrite(remove, { key: CODE_KEY, message: codeProblemMessage })
  const isApplied = applied !== undefined
  // The pressed button is gone: move the focus to what replaced it, before the next key.
  useLayoutEffect(() => {
    if (wasPressed.current) (isApplied ? appliedBox : field).current?.focus()
    wasPressed.current = false
  }, [isApplied])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // On phones the box is inside the payment form, and Enter must not pay.
    event.stopPropagation()
    if (typed.trim() === '') return
    wasPressed.current = true
    if (!(await applying.write(typed))) wasPressed.current = false
  }
  if (applied)
    return (
      <div ref={appliedBox} className={styles.applied} tabIndex={-1}>
        <span className={styles.code}>
          {applied.code}
          <Icon of={CheckIcon} size={18} />
        </span>
        <span className={styles.words}>{applied.effect}</span>
        <Button
          look="text"
          busy={removing.busy}
          aria-label={`Remove code ${applied.code}`}
          onClick={() => {
            wasPressed.current = true
            void removing.write()
          }}
        >
          Remove
        </Button>
        {removing.refusal && (
          <p className={styles.problem} role="alert">
            {removing.refusal}
          </p>
        )}
      </div>
    )
  return (
    <form className={styles.box} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        ref={field}
        label="Discount code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        error={applying.refusal || undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          if (!applying.busy) applying.reset()
        }}
      />
      <Button type="submit" look="quiet" busy={applying.busy} disabled={typed.trim() === ''}>
        Apply
      </Button>
    </form>
  )
}
