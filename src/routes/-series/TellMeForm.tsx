import { type FormEvent, useId, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { emailProblem } from '#features/newsletter/email.ts'
import { askForNext } from '#features/series/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailField } from '#ui/Field.tsx'

interface TellMeFormProps {
  slug: string
  of: string
  onClose: () => void
}

/** Whom to write to, once. The address is asked by a mail first, whoever typed it. */
export function TellMeForm({ slug, of, onClose }: TellMeFormProps) {
  const form = useId()
  const [email, setEmail] = useState(() => currentSession().user?.email ?? '')
  const [problem, setProblem] = useState<string>()
  const [step, setStep] = useState<'idle' | 'busy' | 'asked'>('idle')

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wrong = emailProblem(email)
    setProblem(wrong)
    if (wrong) event.currentTarget.querySelector('input')?.focus()
    if (wrong || step === 'busy') return
    setStep('busy')
    try {
      await askForNext(slug, email.trim())
      setStep('asked')
    } catch (failure) {
      setStep('idle')
      const refused = failure instanceof NetProblem && failure.status === 422
      setProblem(
        refused
          ? MESSAGES.emailMustBeValid
          : failure instanceof NetProblem && failure.status === 429
            ? failure.description
            : MESSAGES.newsletterFailed,
      )
    }
  }
  const asked = step === 'asked'
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={asked ? 'One more click' : `Tell me when ${of} is out`}
      closeLabel={asked ? 'Close' : 'Not now'}
      actions={
        !asked && (
          <Button type="submit" form={form} look="beak" busy={step === 'busy'}>
            Tell me
          </Button>
        )
      }
    >
      {asked ? (
        <p role="status">We’ve sent you a mail. Press its button, and you’ll hear from us when it’s out.</p>
      ) : (
        <form id={form} className="stack gap-3" onSubmit={(event) => void submit(event)} noValidate>
          <p>One mail, on the day it’s in the shop. Then we forget your address.</p>
          <EmailField
            label="Your email"
            name="email"
            value={email}
            error={problem}
            onChange={(event) => {
              setEmail(event.target.value)
              if (problem) setProblem(emailProblem(event.target.value))
            }}
          />
        </form>
      )}
    </Dialog>
  )
}
