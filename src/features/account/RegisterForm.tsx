import { type ReactNode, useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { guessedCountry } from '#format/countries.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CountryField } from '#ui/CountryField.tsx'
import { EmailField, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import type { Registration } from './mutations.ts'
import { NameFields } from './NameFields.tsx'
import { Refusal } from '../../writes/Refusal.tsx'
import { useWrite } from '../../writes/use-write.ts'
import {
  registrationRefusal,
  emailRules,
  firstNameRules,
  lastNameRules,
  newPasswordRules,
  sameEmailRules,
} from './validation.ts'

interface RegisterFormProps {
  register: (registration: Registration) => Promise<unknown>
  /** The account must have the address that the gift was sent to (ACC-13). */
  giftEmail?: string | undefined
  /** The first name that the giver wrote. */
  firstName?: string | undefined
  others?: ReactNode | undefined
}

export function RegisterForm({ register: send, giftEmail, firstName = '', others }: RegisterFormProps) {
  const { register, handleSubmit, formState, control, setError, getValues, setValue } = useForm<
    Required<Registration>
  >({
    mode: 'onTouched',
    defaultValues: {
      firstName: '',
      lastName: '',
      countryCode: guessedCountry(),
      email: giftEmail ?? '',
      password: '',
      newsletter: true,
    },
  })
  const { errors, isSubmitting } = formState
  // It may arrive late; typed text stays.
  useEffect(() => {
    if (firstName && getValues('firstName') === '') setValue('firstName', firstName)
  }, [firstName, getValues, setValue])
  const country = useWatch({ control, name: 'countryCode' })
  const { write, refusal } = useWrite(send, {
    message: registrationRefusal,
    form: { setError, fields: ['firstName', 'lastName', 'countryCode', 'password'] },
  })
  const onSubmit = handleSubmit((typed) =>
    write({
      ...typed,
      email: typed.email.trim(),
      firstName: typed.firstName.trim(),
      lastName: typed.lastName.trim(),
    }),
  )

  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <div className={styles.pair}>
        <NameFields
          first={register('firstName', firstNameRules)}
          last={register('lastName', lastNameRules)}
          errors={errors}
        />
      </div>
      <CountryField
        error={errors.countryCode?.message}
        {...register('countryCode', { required: ACCOUNT_MESSAGES.countryRequired })}
      />
      <EmailField
        readOnly={giftEmail !== undefined}
        hint={giftEmail === undefined ? undefined : 'Your gift was sent to this address.'}
        error={errors.email?.message}
        {...register('email', giftEmail === undefined ? emailRules : sameEmailRules(giftEmail))}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters."
        error={errors.password?.message}
        {...register('password', newPasswordRules())}
      />
      <Checkbox label="Send me the newsletter" {...register('newsletter')} />
      <Button
        type="submit"
        look="beak"
        block
        busy={isSubmitting}
        disabledReason={country || isSubmitting ? undefined : 'Choose your country first.'}
      >
        Create account
      </Button>
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}
