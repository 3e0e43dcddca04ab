import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { emailRules, passwordRules } from './validation.ts'

interface ChangeEmailFormProps {
  /** Rejects with a `NetProblem` when the shop says no. */
  change: (email: string, password: string) => Promise<unknown>
  onCancel: () => void
}

export function ChangeEmailForm({ change, onCancel }: ChangeEmailFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  // The button that opened it has gone, so focus moves to the field.
  useEffect(() => setFocus('email'), [setFocus])
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, MESSAGES.somethingWentWrong), {
    setError,
    fields: ['email', 'password'],
  })
  const onSubmit = handleSubmit(
    async ({ email, password }) => void (await submit(() => change(email.trim(), password))),
  )
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
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
