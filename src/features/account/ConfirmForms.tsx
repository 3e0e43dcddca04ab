import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import { confirmAddress } from './mutations.ts'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import { codeRules, passwordRules } from './validation.ts'

interface CheckMailProps {
  email: string
  /** Links to what to do next. */
  children?: ReactNode | undefined
  /** Called when the code was right. */
  onConfirmed: () => void
}

/** After registering: asks to confirm the address (ACC-15, AUTHUI-03). */
export function CheckMail({ email, children, onConfirmed }: CheckMailProps) {
  const [confirmed, setConfirmed] = useState(false)
  const done = () => {
    setConfirmed(true)
    onConfirmed()
  }
  return (
    <div className={styles.text} role="status">
      {confirmed ? (
        <p>
          Thank you. <span className={styles.strong}>{email}</span> is confirmed.
        </p>
      ) : (
        <>
          <p>
            Your account is open. Please check your email: we have sent a verification link to{' '}
            <span className={styles.strong}>{email}</span>.
          </p>
          <p>If the link opens somewhere else, enter the code from the same email.</p>
          <CodeForm onConfirmed={done} />
        </>
      )}
      {children}
    </div>
  )
}

const WRONG = 'That code isn’t right, or it’s too old. Ask for a new email in your settings.'

/** For users who read the email elsewhere: the link opens another browser than an installed app (trap 23). */
export function CodeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  const { write, refusal } = useWrite((code: string) => confirmAddress(code), {
    onSuccess: () => {
      announce('Your address is confirmed.')
      onConfirmed()
    },
    message: (problem) => refusalMessage(problem, WRONG),
  })
  const onSubmit = handleSubmit(({ code }) => write(code))
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <Field
        label="Code from the email"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Eight digits, such as 1234-5678."
        error={formState.errors.code?.message}
        {...register('code', codeRules)}
      />
      <Button type="submit" look="quiet" busy={formState.isSubmitting}>
        Confirm my email
      </Button>
    </form>
  )
}

interface ConfirmWithPasswordProps {
  confirm: (password: string) => Promise<unknown>
}

/** An email's link, opened without a session: only the account's owner may confirm its address. */
export function ConfirmWithPassword({ confirm }: ConfirmWithPasswordProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } })
  const { write, refusal } = useWrite(confirm, {
    message: (problem) => refusalMessage(problem, ACCOUNT_MESSAGES.confirmationFailed),
    form: { setError, fields: ['password'] },
  })
  const onSubmit = handleSubmit(({ password }) => write(password))

  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <p className={styles.text}>
        Enter your account password. If you didn’t ask for this, close this page and nothing will change.
      </p>
      <Refusal message={refusal} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', passwordRules)}
      />
      <Button type="submit" look="beak" block busy={formState.isSubmitting}>
        Confirm my email
      </Button>
    </form>
  )
}
