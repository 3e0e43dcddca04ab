import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import styles from './LogInForm.module.css'
import { emailRules, passwordRules } from './validation.ts'

interface Credentials {
  email: string
  password: string
}

interface LogInFormProps {
  /** Rejects with a `NetProblem` when the shop says no or nobody answers. */
  logIn: (email: string, password: string) => Promise<unknown>
  onDone: () => void
}

export function LogInForm({ logIn, onDone }: LogInFormProps) {
  const { register, handleSubmit, formState } = useForm<Credentials>({ mode: 'onTouched' })
  const { errors, isValid, isSubmitting } = formState
  const [refusal, setRefusal] = useState('')

  const submit = handleSubmit(async ({ email, password }) => {
    setRefusal('')
    try {
      await logIn(email.trim(), password)
    } catch (problem) {
      const words = refusalWords(problem)
      setRefusal(words)
      announce(words, 'assertive')
      return
    }
    onDone()
  })

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...register('email', emailRules)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password', passwordRules)}
      />
      <Button
        type="submit"
        look="beak"
        block
        busy={isSubmitting}
        disabledReason={isValid || isSubmitting ? undefined : 'Fill in your email and password first.'}
      >
        Log in
      </Button>
    </form>
  )
}

function refusalWords(problem: unknown): string {
  if (!(problem instanceof NetProblem)) return MESSAGES.somethingWentWrong
  if (problem.kind === 'offline') return 'Logging in needs a connection. Check yours and try again.'
  if (problem.status === 429) return problem.description
  if (problem.kind === 'refused') return MESSAGES.invalidCredentials
  return MESSAGES.somethingWentWrong
}
