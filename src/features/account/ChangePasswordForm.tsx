import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useBriefly } from './use-briefly.ts'
import { useSubmit } from './use-submit.ts'
import { newPasswordRules, oldPasswordRules } from './validation.ts'

interface ChangePasswordFormProps {
  change: (oldPassword: string, newPassword: string) => Promise<unknown>
}

export function ChangePasswordForm({ change }: ChangePasswordFormProps) {
  const { register, handleSubmit, formState, reset, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { oldPassword: '', newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const { refusal, submit } = useSubmit(wordsOf, {
    setError,
    fields: ['newPassword'],
  })
  const [saved, showSaved] = useBriefly<true>()

  const onSubmit = handleSubmit(async ({ oldPassword, newPassword }) => {
    if (!(await submit(() => change(oldPassword, newPassword)))) return
    reset()
    showSaved(true)
  })
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
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

/** Of two simultaneous changes the server refuses one with 409 and says why. */
const wordsOf = (problem: unknown): string =>
  problem instanceof NetProblem && problem.status === 409
    ? problem.description
    : refusalWords(problem, MESSAGES.invalidCredentials)
