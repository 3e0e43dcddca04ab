import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import { hasPasskeys, isDismissed, logInByPasskey, offerPasskey } from './passkeys.ts'
import { emailRules, passwordRules } from './validation.ts'

interface Credentials {
  email: string
  password: string
}

interface LogInFormProps {
  logIn: (email: string, password: string) => Promise<unknown>
  onDone: () => void
  /** The address this device remembers, or that the email went to; only the password is missing. */
  email?: string | undefined
  /** Links to a new account and a new password. */
  others?: ReactNode | undefined
}

/** A passkey that the browser knows appears among its suggestions for the email field. */
async function suggestPasskey(onDone: () => void): Promise<void> {
  if (!hasPasskeys()) return
  try {
    const { suggestsPasskeys } = await import('./passkey-ceremonies.ts')
    if (!(await suggestsPasskeys())) return
    await logInByPasskey({ suggested: true })
    onDone()
  } catch {
    // Show no error: the user hasn't asked for this, and the fields still work.
  }
}

const passkeyWords = (problem: unknown): string =>
  isDismissed(problem)
    ? 'No passkey was used. Your password works, too.'
    : problem instanceof NetProblem
      ? refusalMessage(problem, (description) => description)
      : 'Your browser couldn’t use a passkey. Your password works, too.'

export function LogInForm({ logIn, onDone, email = '', others }: LogInFormProps) {
  const { register, handleSubmit, formState, getValues, setValue, setFocus } = useForm<Credentials>({
    mode: 'onTouched',
    defaultValues: { email, password: '' },
  })
  const { errors, isValid, isSubmitting } = formState
  // The remembered address may arrive after the first render; typed text stays.
  useEffect(() => {
    if (email !== '' && getValues('email') === '') setValue('email', email)
    if (email !== '' && getValues('email') === email) setFocus('password')
  }, [email, getValues, setValue, setFocus])

  const { write, refusal } = useWrite((typed: Credentials) => logIn(typed.email.trim(), typed.password), {
    onSuccess: () => {
      onDone()
      void offerPasskey().catch(() => undefined)
    },
    message: (problem) => refusalMessage(problem, MESSAGES.invalidCredentials),
  })
  const byPasskey = useWrite(() => logInByPasskey(), { onSuccess: onDone, message: passkeyWords })
  const isSuggested = useEffectEvent(() => onDone())
  useEffect(() => {
    let isMounted = true
    void suggestPasskey(() => isMounted && isSuggested())
    return () => {
      isMounted = false
    }
  }, [])
  const send = handleSubmit((typed) => write(typed))

  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <Refusal message={refusal || byPasskey.refusal} />
      <EmailField
        autoComplete="username webauthn"
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
      {hasPasskeys() && (
        <Button look="quiet" block busy={byPasskey.busy} onClick={() => void byPasskey.write()}>
          Use a passkey
        </Button>
      )}
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}
