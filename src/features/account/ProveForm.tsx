import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { PROOF_MINUTES } from '#contract/limits.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import styles from './account-forms.module.css'
import { passkeyRefusal } from './PasskeyList.tsx'
import { hasPasskeys, passkeysQuery, proveByPasskey } from './passkeys.ts'
import { passwordRules } from './validation.ts'

interface ProveFormProps {
  owner: string
  /** For password managers: the account whose password is asked for. */
  email: string
  prove: (password: string) => Promise<unknown>
  onDone: () => void
  others?: ReactNode
}

/** Asks for the password again, before a gift or a new card. */
export function ProveForm({ owner, email, prove, onDone, others }: ProveFormProps) {
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    defaultValues: { password: '' },
  })
  const { errors, isValid, isSubmitting } = formState
  const { write, refusal } = useWrite(({ password }: { password: string }) => prove(password), {
    onSuccess: onDone,
    message: (problem) => refusalMessage(problem, 'That isn’t your password.'),
  })
  const send = handleSubmit((typed) => write(typed))
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <p>
        We ask for your password before you give something or add a card. It counts for {PROOF_MINUTES}{' '}
        minutes.
      </p>
      <Refusal message={refusal} />
      <input type="email" autoComplete="username" value={email} readOnly hidden />
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
        disabledReason={isValid || isSubmitting ? undefined : 'Fill in your password first.'}
      >
        Go on
      </Button>
      <ProveByPasskey owner={owner} onDone={onDone} />
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}

/** Nothing for an account without passkeys. */
export function ProveByPasskey({ owner, onDone }: Pick<ProveFormProps, 'owner' | 'onDone'>) {
  const { data: passkeys } = useQuery({ ...passkeysQuery(owner), enabled: hasPasskeys() })
  const { write, busy, refusal } = useWrite(proveByPasskey, { onSuccess: onDone, message: passkeyRefusal })
  if (!passkeys || passkeys.length === 0) return null
  return (
    <>
      <Refusal message={refusal} />
      <Button look="quiet" block busy={busy} onClick={() => void write()}>
        Use your passkey
      </Button>
    </>
  )
}
