import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { askForPassword } from './mutations.ts'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { emailRules } from './validation.ts'

interface ForgotPasswordProps {
  others?: ReactNode | undefined
  /** The way to the log-in, once the new password is set. */
  logIn: ReactNode
}

/** Asks for the mail, then waits for its code beside the link (trap 23). The same for every address. */
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
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, MESSAGES.invalidEmail))

  const onSubmit = handleSubmit(async (typed) => {
    const email = typed.email.trim()
    await submit(async () => onAsked({ email, id: await askForPassword(email) }))
  })
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
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
