import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import { askForPassword, resetPassword } from './mutations.ts'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import { useBriefly } from '#ui/use-now.ts'
import { codeRules, emailRules, newPasswordRules, oldPasswordRules } from './validation.ts'

interface ChangedPassword {
  oldPassword: string
  newPassword: string
}

interface ChangePasswordFormProps {
  change: (oldPassword: string, newPassword: string) => Promise<unknown>
}

export function ChangePasswordForm({ change }: ChangePasswordFormProps) {
  const { register, handleSubmit, formState, reset, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { oldPassword: '', newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const [saved, showSaved] = useBriefly<true>()
  const { write, refusal } = useWrite(
    ({ oldPassword, newPassword }: ChangedPassword) => change(oldPassword, newPassword),
    {
      onSuccess: () => {
        reset()
        showSaved(true)
      },
      message: changeRefusal,
      form: { setError, fields: ['newPassword'] },
    },
  )
  const onSubmit = handleSubmit((typed) => write(typed))
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <PasswordField
        label="Old password"
        autoComplete="current-password"
        error={errors.oldPassword?.message}
        {...register('oldPassword', oldPasswordRules)}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters."
        error={errors.newPassword?.message}
        {...register('newPassword', newPasswordRules(ACCOUNT_MESSAGES.newPasswordRequired))}
      />
      <Button type="submit" look="beak" block busy={isSubmitting}>
        Change password
      </Button>
      <p role="status">{saved && 'Your new password is saved. Your other devices were logged out.'}</p>
    </form>
  )
}

/** The server refuses one of two simultaneous changes with 409 and says why. */
const changeRefusal = (problem: unknown): string =>
  problem instanceof NetProblem && problem.status === 409
    ? problem.description
    : refusalMessage(problem, MESSAGES.invalidCredentials)

interface ForgotPasswordProps {
  others?: ReactNode | undefined
  /** Link to the log-in, once the new password is set. */
  logIn: ReactNode
}

/** Asks for the email, then for its code, in case the link opens elsewhere (trap 23). The same for every address. */
export function ForgotPassword({ others, logIn }: ForgotPasswordProps) {
  const [asked, setAsked] = useState<{ email: string; id: string }>()
  if (!asked) return <AskForm onAsked={setAsked} others={others} />
  return (
    <div className={styles.text}>
      <p role="status">
        Please check your email. If <span className={styles.strong}>{asked.email}</span> has an account here,
        a link to choose a new password is on its way.
      </p>
      <p>If the link opens somewhere else, enter the code from the same email.</p>
      <NewPasswordForm id={asked.id} logIn={logIn} />
    </div>
  )
}

interface AskFormProps {
  onAsked: (asked: { email: string; id: string }) => void
  others: ReactNode
}

function AskForm({ onAsked, others }: AskFormProps) {
  const { register, handleSubmit, formState } = useForm({ mode: 'onTouched', defaultValues: { email: '' } })
  const { write, refusal } = useWrite(askForPassword, {
    onSuccess: (id, email) => onAsked({ email, id }),
    message: (problem) => refusalMessage(problem, MESSAGES.invalidEmail),
  })
  const onSubmit = handleSubmit(({ email }) => write(email.trim()))
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <EmailField
        autoComplete="username"
        error={formState.errors.email?.message}
        {...register('email', emailRules)}
      />
      <Button type="submit" look="beak" block busy={formState.isSubmitting}>
        Send the link
      </Button>
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}

interface NewPasswordFormProps {
  /** The user's id with a link's `token`; the request's id with a typed code. */
  id: string
  token?: string | undefined
  /** Link to the log-in, for users who aren't logged in. */
  logIn?: ReactNode | undefined
}

/** The server's reason why a link no longer works. */
const linkRefusal = (description: string) => description || MESSAGES.somethingWentWrong

/** By an email's link or code (ACC-18 to ACC-20). */
export function NewPasswordForm({ id, token, logIn }: NewPasswordFormProps) {
  const [passwordChanged, setPasswordChanged] = useState(false)
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { code: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const { write, refusal } = useWrite(
    ({ code, password }: { code: string; password: string }) => resetPassword(id, token ?? code, password),
    {
      onSuccess: () => {
        announce(ACCOUNT_MESSAGES.passwordIsSet)
        setPasswordChanged(true)
      },
      message: (problem) => refusalMessage(problem, linkRefusal),
      form: { setError, fields: ['password'] },
    },
  )
  const onSubmit = handleSubmit((typed) => write(typed))

  if (passwordChanged)
    return (
      <div className={styles.text}>
        <p>
          {logIn ? (
            <>Your new password is set. You can log in with it now.</>
          ) : (
            ACCOUNT_MESSAGES.passwordIsSet
          )}
        </p>
        {logIn}
      </div>
    )
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      {token === undefined && (
        <Field
          label="Code from the email"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="Eight digits, such as 1234-5678."
          error={errors.code?.message}
          {...register('code', codeRules)}
        />
      )}
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters."
        error={errors.password?.message}
        {...register('password', newPasswordRules())}
      />
      <Button type="submit" look="beak" block busy={isSubmitting}>
        Reset Password
      </Button>
    </form>
  )
}
