import { useId, useState, type FormEvent } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { claimGift, seeGift, type Found } from './claim.ts'
import styles from './gifts.module.css'

interface GiftCodeFormProps {
  /** Answers what it was, in a sentence. */
  onClaimed: (claimed: Found) => Promise<string>
}

/**
 * For an installed app, where a mail's link opens elsewhere (trap 23): the code that stands beside the link, typed.
 * Small and spaces do not matter.
 */
export function GiftCodeForm({ onClaimed }: GiftCodeFormProps) {
  const [open, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const id = useId()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || code.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      const found = await seeGift(code.trim())
      if (!found) return setProblem('We don’t know this code. Please check for typos and try again.')
      const words = await onClaimed(await claimGift(found, code.trim()))
      announce(words)
      setCode('')
      setOpen(false)
    } catch (failure) {
      setProblem((failure instanceof NetProblem && failure.description) || MESSAGES.somethingWentWrong)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.code}>
      <Button look="text" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Use a gift code
      </Button>
      <form
        id={id}
        hidden={!open}
        className={styles.form}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Field
          label="Gift code"
          hint="You’ll find it in the gift email."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={128}
          value={code}
          error={problem}
          onChange={(event) => {
            setCode(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" look="quiet" busy={busy} disabled={code.trim() === ''}>
          Claim
        </Button>
      </form>
    </div>
  )
}
