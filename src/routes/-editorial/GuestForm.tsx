import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { emailRules, holdsLink } from '#features/account/validation.ts'
import { askForSeat } from '#features/seats/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailField, Field } from '#ui/Field.tsx'
import { refusalMessage, useWrite } from '#writes/use-write.ts'

interface GuestFormProps {
  slug: string
  of: string
  onClose: () => void
}

/** A seat without an account. The address must confirm first. */
export function GuestForm({ slug, of, onClose }: GuestFormProps) {
  const form = useId()
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name: '', email: '' } })
  const [asked, setAsked] = useState(false)
  const { write, busy } = useWrite((guest: { email: string; name: string }) => askForSeat(slug, guest), {
    onSuccess: () => setAsked(true),
    onFailure: (problem) => setError('email', { message: refusalOf(problem) }),
  })
  const onSubmit = handleSubmit(({ name, email }) => write({ name: name.trim(), email: email.trim() }))
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={asked ? 'One more click' : 'Keep me a seat'}
      closeLabel={asked ? 'Close' : 'Not now'}
      actions={
        !asked && (
          <Button type="submit" form={form} look="beak" busy={busy}>
            Email me the link
          </Button>
        )
      }
    >
      {asked ? (
        <p role="status">We’ve sent you an email. Press its button, and the seat is yours.</p>
      ) : (
        <form id={form} className="stack gap-3" onSubmit={(event) => void onSubmit(event)} noValidate>
          <p>
            For <i>{of}</i>. Your name goes on the list at the door, and we delete it a month later.
          </p>
          <Field
            label="Your name"
            autoComplete="name"
            maxLength={80}
            error={formState.errors.name?.message}
            {...register('name', {
              validate: (name) =>
                name.trim() === '' ? 'Name is required' : !holdsLink(name) || ACCOUNT_MESSAGES.nameHoldsLink,
            })}
          />
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
  if (problem instanceof NetProblem && problem.violations.length > 0) return MESSAGES.emailMustBeValid
  return refusalMessage(problem, (description) => `${description}.`)
}
