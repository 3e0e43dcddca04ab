import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './CodeField.module.css'

interface CodeFieldProps {
  /** The code that holds, and what it does. */
  applied: { readonly code: string; readonly words: string } | undefined
  busy: boolean
  error: string
  /** Resolves with what is said of it: why it cannot be used, or that it holds now. */
  onApply: (typed: string) => Promise<{ readonly problem: string } | { readonly applied: string }>
  onRemove: () => void
  /** Something else is being typed. */
  onType: () => void
}

/** One field and one button; a code that holds stands in their place, with the way to take it off. */
export function CodeField({ applied, busy, error, onApply, onRemove, onType }: CodeFieldProps) {
  const [typed, setTyped] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const pressed = useRef(false)
  const holds = applied !== undefined
  // The button that was pressed is gone: the keyboard goes on from what stands in its place, before a key can miss it.
  useLayoutEffect(() => {
    if (pressed.current) (holds ? place : field).current?.focus()
    pressed.current = false
  }, [holds])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The box stands inside the form of the payment on phones: its Enter does not pay.
    event.stopPropagation()
    if (typed.trim() === '' || busy) return
    pressed.current = true
    const said = await onApply(typed)
    if ('problem' in said) pressed.current = false
    announce('problem' in said ? said.problem : `Code ${said.applied} applied.`)
    if ('applied' in said) setTyped('')
  }
  if (applied)
    return (
      <div ref={place} className={styles.applied} tabIndex={-1}>
        <span className={styles.code}>
          {applied.code}
          <Icon of={CheckIcon} size={18} />
        </span>
        <span className={styles.words}>{applied.words}</span>
        <Button
          look="text"
          busy={busy}
          aria-label={`Remove code ${applied.code}`}
          onClick={() => {
            pressed.current = true
            onRemove()
          }}
        >
          Remove
        </Button>
        {error && (
          <p className={styles.problem} role="alert">
            {error}
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
        error={error || undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          onType()
        }}
      />
      <Button type="submit" look="quiet" busy={busy} disabled={typed.trim() === ''}>
        Apply
      </Button>
    </form>
  )
}
