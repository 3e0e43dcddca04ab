import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { emailRules } from '#features/account/validation.ts'
import { askForNext } from '#features/series/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailField } from '#ui/Field.tsx'
import { useWrite } from '#writes/use-write.ts'

interface TellMeFormProps {
  slug: string
  of: string
  onClose: () => void
}

/** One-off notification. Double opt-in: the address must confirm first. */
export function TellMeForm({ slug, of, onClose }: TellMeFormProps) {
  const form = useId()
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { email: currentSession().user?.email ?? '' },
  })
  const [asked, setAsked] = useState(false)
  const { write, busy } = useWrite((email: string) => askForNext(slug, email), {
    onSuccess: () => setAsked(true),
    onFailure: (problem) => setError('email', { message: refusalOf(problem) }),
  })
  const onSubmit = handleSubmit(({ email }) => write(email.trim()))
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={asked ? 'One more click' : `Tell me when ${of} is out`}
      closeLabel={asked ? 'Close' : 'Not now'}
      actions={
        !asked && (
          <Button type="submit" form={form} look="beak" busy={busy}>
            Tell me
          </Button>
        )
      }
    >
      {asked ? (
        <p role="status">
          We’ve sent you an email. Press the button in it, and you’ll hear from us when it’s out.
        </p>
      ) : (
        <form id={form} className="stack gap-3" onSubmit={(event) => void onSubmit(event)} noValidate>
          <p>One email, on the day it’s in the shop. Then we forget your address.</p>
          <EmailField
            label="Your email"
            error={formState.errors.email?.message}
            {...register('email', emailRules)}
          />
        </form>
      )}
    </Dialog>
  )
}

function refusalOf(problem: unknown): string {
  const status = problem instanceof NetProblem ? problem.status : 0
  if (status === 422) return MESSAGES.emailMustBeValid
  return problem instanceof NetProblem && status === 429 ? problem.description : MESSAGES.newsletterFailed
}
