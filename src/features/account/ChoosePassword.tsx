import { useForm } from 'react-hook-form'
import { reloadUser } from '#session/session.ts'
import { toast } from '#ui/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { Refusal } from '../../writes/Refusal.tsx'
import { refusalMessage, useWrite } from '../../writes/use-write.ts'
import styles from './account-forms.module.css'
import { choosePassword } from './mutations.ts'
import { passkeyRefusal } from './PasskeyList.tsx'
import { addPasskey, hasPasskeys } from './passkeys.ts'
import { newPasswordRules } from './validation.ts'

/** For an account that a wallet's payment made: it has no password yet. */
export function ChoosePassword({ owner, email }: { owner: string; email: string }) {
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const { write, refusal } = useWrite(
    ({ newPassword }: { newPassword: string }) => choosePassword(owner, newPassword),
    {
      async onSuccess() {
        await reloadUser().catch(() => undefined)
        toast('Your password is saved.')
      },
      message: (problem) => refusalMessage(problem, (description) => description),
      form: { setError, fields: ['newPassword'] },
    },
  )
  const adding = useWrite(addPasskey, {
    onSuccess: () => toast('Your passkey is added. You can log in with it.'),
    message: passkeyRefusal,
  })
  const send = handleSubmit((typed) => write(typed))
  return (
    <section aria-labelledby="choose-password">
      <Display as="h2" size="sm" id="choose-password">
        Choose a password
      </Display>
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        <p>You paid with a wallet, so there’s none yet. You’ll need it to log in on another device.</p>
        <Refusal message={refusal || adding.refusal} />
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters."
          error={errors.newPassword?.message}
          {...register('newPassword', newPasswordRules())}
        />
        <Button type="submit" look="solid" block busy={isSubmitting}>
          Save password
        </Button>
        {hasPasskeys() && (
          <Button look="quiet" block busy={adding.busy} onClick={() => void adding.write()}>
            Add a passkey instead
          </Button>
        )}
      </form>
    </section>
  )
}
