import { useForm } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { passwordRules } from './validation.ts'

interface ConfirmWithPasswordProps {
  /** Rejects with a `NetProblem` when the shop says no. */
  confirm: (password: string) => Promise<unknown>
}

/** The link of a mail, opened where nobody is in: only who made the account may confirm its address. */
export function ConfirmWithPassword({ confirm }: ConfirmWithPasswordProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } })
  const { refusal, submit } = useSubmit(
    (problem) => refusalWords(problem, ACCOUNT_MESSAGES.confirmationFailed),
    { setError, fields: ['password'] },
  )
  const onSubmit = handleSubmit(async ({ password }) => void (await submit(() => confirm(password))))

  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <p className={styles.text}>
        Enter your account password. If you didn’t ask for this, close this page and nothing will change.
      </p>
      <Refusal words={refusal} />
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
