import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { passwordRules } from './validation.ts'

interface DeleteAccountFormProps {
  /** For the button that sends it, which stands elsewhere. */
  id: string
  /** Rejects with a `NetProblem` when the shop says no. */
  remove: (password: string) => Promise<unknown>
  children: ReactNode
}

/** Asks for the password again: a phone left on a table must not be enough to delete an account. */
export function DeleteAccountForm({ id, remove, children }: DeleteAccountFormProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } })
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, wordsOf(problem)), {
    setError,
    fields: ['password'],
  })
  const onSubmit = handleSubmit(async ({ password }) => void (await submit(() => remove(password))))

  return (
    <form id={id} className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      {children}
      <Refusal words={refusal} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', passwordRules)}
      />
    </form>
  )
}

/** 409: the refund changed while the dialog was open. */
const wordsOf = (problem: unknown): string =>
  problem instanceof NetProblem && problem.status === 409 ? problem.description : MESSAGES.somethingWentWrong
