import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field, PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { resetPassword } from './mutations.ts'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { codeRules, newPasswordRules } from './validation.ts'

interface NewPasswordFormProps {
  /** The user's id beside a link's `token`; without one the request's, and a code is asked for. */
  id: string
  token?: string | undefined
  /** The way to the log-in, for those who are not in. */
  logIn?: ReactNode | undefined
}

/** The server's reason why a link no longer works. */
const usedUp = (description: string) => description || MESSAGES.somethingWentWrong

/** Sets a new password by what a mail carried (ACC-18 to ACC-20). */
export function NewPasswordForm({ id, token, logIn }: NewPasswordFormProps) {
  const [passwordChanged, setPasswordChanged] = useState(false)
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { code: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, usedUp), {
    setError,
    fields: ['password'],
  })

  const onSubmit = handleSubmit(async ({ code, password }) => {
    if (!(await submit(() => resetPassword(id, token ?? code, password)))) return
    announce(ACCOUNT_MESSAGES.passwordIsSet)
    setPasswordChanged(true)
  })

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
      <Refusal words={refusal} />
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
