import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#contract/account.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import { CodeForm } from './ConfirmForms.tsx'
import { cancelEmailChange, changeEmail, mailEmailChangeAgain } from './mutations.ts'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import { emailRules, passwordRules } from './validation.ts'

interface EmailAddressProps {
  user: User
  /** Called with the saved user. */
  onChanged: (user: User) => Promise<void>
  /** Called when the code was right: the new address is the account's. */
  onConfirmed: () => void
}

export function EmailAddress({ user, onChanged, onConfirmed }: EmailAddressProps) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    // The button is back after the next render.
    requestAnimationFrame(() => opener.current?.focus())
  }
  const change = async ({ email, password }: { email: string; password: string }) => {
    await onChanged(await changeEmail(user.uuid, email, password))
    setOpen(false)
    announce(`We’ve sent a link to ${email}.`)
  }
  return (
    <div className={styles.form}>
      <p className={styles.address}>
        <span className={styles.strong}>{user.email}</span>
        {!open && (
          <Button ref={opener} look="text" onClick={() => setOpen(true)}>
            Change email
          </Button>
        )}
      </p>
      {open && <ChangeEmailForm change={change} onCancel={close} />}
      {user.pendingEmail && !open && (
        <PendingEmail user={user} email={user.pendingEmail} onChanged={onChanged} onConfirmed={onConfirmed} />
      )}
    </div>
  )
}

function PendingEmail({ user, email, onChanged, onConfirmed }: EmailAddressProps & { email: string }) {
  const [message, setMessage] = useState('')
  const show = { onFailure: (problem: unknown) => setMessage(refusalMessage(problem)) }
  const resend = useWrite(() => mailEmailChangeAgain(user.uuid), {
    onSuccess: () => setMessage('A new email is on its way.'),
    ...show,
  })
  const cancel = useWrite(() => cancelEmailChange(user.uuid), {
    onSuccess: (saved) => {
      setMessage('')
      return onChanged(saved)
    },
    ...show,
  })
  return (
    <>
      <p className={styles.text}>
        We’ve sent a link to {email}. Your address changes once you open it. If it opens somewhere else, enter
        the code from the same email.
      </p>
      {/* An unconfirmed account already has this form at the top of the page. */}
      {user.confirmed && <CodeForm onConfirmed={onConfirmed} />}
      <p className={styles.address}>
        <Button look="text" busy={resend.busy} onClick={() => void resend.write()}>
          Resend the email
        </Button>
        <Button look="text" busy={cancel.busy} onClick={() => void cancel.write()}>
          Cancel the change
        </Button>
        <span role="status">{message}</span>
      </p>
    </>
  )
}

interface ChangeEmailFormProps {
  change: (typed: { email: string; password: string }) => Promise<unknown>
  onCancel: () => void
}

function ChangeEmailForm({ change, onCancel }: ChangeEmailFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  // The button that opened it has gone, so focus moves to the field.
  useEffect(() => setFocus('email'), [setFocus])
  const { write, refusal } = useWrite(change, { form: { setError, fields: ['email', 'password'] } })
  const onSubmit = handleSubmit(({ email, password }) => write({ email: email.trim(), password }))
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <EmailField
        label="New email"
        maxLength={254}
        hint="We’ll send a link to it. Your address changes once you open it."
        error={errors.email?.message}
        {...register('email', emailRules)}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password', passwordRules)}
      />
      <div className="row gap-3">
        <Button type="submit" look="solid" busy={isSubmitting}>
          Send the link
        </Button>
        <Button look="quiet" disabled={isSubmitting} onClick={onCancel}>
          Keep my email
        </Button>
      </div>
    </form>
  )
}
