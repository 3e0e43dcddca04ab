import { type ReactNode, useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { PASSWORD_LENGTH } from '#contract/limits.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { COUNTRIES, countryNamed } from '#format/countries.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field, PasswordField } from '#ui/Field.tsx'
import styles from './account-forms.module.css'
import type { Registration } from './mutations.ts'
import { NameFields } from './NameFields.tsx'
import {
  registrationRefusal,
  emailRules,
  firstNameRules,
  lastNameRules,
  newPasswordRules,
} from './validation.ts'
import { Refusal } from '../../writes/Refusal.tsx'
import { useWrite } from '../../writes/use-write.ts'

interface RedeemerFormProps {
  register: (registration: Registration) => Promise<unknown>
  others?: ReactNode | undefined
}

interface Typed {
  email: string
  firstName: string
  lastName: string
  country: string
  password: string
}

/** The account form for a card's redeemer: shorter, for phones (RDM-06 to RDM-09). */
export function RedeemerForm({ register: send, others }: RedeemerFormProps) {
  const listId = useId()
  const { register, handleSubmit, formState, control, setError } = useForm<Typed>({
    mode: 'onTouched',
    defaultValues: { email: '', firstName: '', lastName: '', country: '', password: '' },
  })
  const { errors, isSubmitting, isValid } = formState
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field has a value from the start
  const typed = useWatch({ control }) as Typed
  const { password } = typed
  const { write, refusal } = useWrite(send, {
    message: registrationRefusal,
    form: { setError, fields: ['firstName', 'lastName', 'password'] },
  })
  const onSubmit = handleSubmit((filled) =>
    write({
      email: filled.email.trim(),
      firstName: filled.firstName.trim(),
      lastName: filled.lastName.trim(),
      countryCode: countryNamed(filled.country)?.code ?? '',
      password: filled.password,
    }),
  )
  const isShort = Array.from(password).length < PASSWORD_LENGTH.min

  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal message={refusal} />
      <EmailField error={errors.email?.message} {...register('email', emailRules)} />
      <div className={styles.pair}>
        <NameFields
          first={register('firstName', longerNameRules('first'))}
          last={register('lastName', longerNameRules('last'))}
          errors={errors}
        />
      </div>
      <Field
        label="Country"
        autoComplete="country-name"
        list={listId}
        hint="Type the first letters and choose."
        error={errors.country?.message}
        {...register('country', countryRules)}
      />
      <datalist id={listId}>
        {COUNTRIES.map(({ code, name }) => (
          <option key={code}>{name}</option>
        ))}
      </datalist>
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={
          isShort ? 'At least 8 characters. Letters, numbers and special characters are best.' : undefined
        }
        error={errors.password?.message}
        {...register('password', newPasswordRules())}
      />
      <Button
        type="submit"
        look="beak"
        block
        busy={isSubmitting}
        disabledReason={isValid || isSubmitting ? undefined : firstReason(typed, errors)}
      >
        Create account
      </Button>
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}

const CALLED = {
  email: 'your email',
  firstName: 'your first name',
  lastName: 'your last name',
  country: 'your country',
  password: 'your password',
} as const satisfies Record<keyof Typed, string>
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const FIELDS = Object.keys(CALLED) as (keyof Typed)[]

/** Why the form can't be sent yet: the first empty or invalid field. */
function firstReason(typed: Typed, errors: Partial<Record<keyof Typed, unknown>>): string {
  const field = FIELDS.find((name) => typed[name].trim() === '' || errors[name])
  if (!field) return 'Check every field first.'
  return `${typed[field].trim() === '' ? 'Fill in' : 'Check'} ${CALLED[field]} first.`
}

/** RDM-07: a name has at least two letters. */
const longerNameRules = (which: 'first' | 'last') => {
  const { required, validate } = which === 'first' ? firstNameRules : lastNameRules
  return {
    required,
    validate: (value: string) => {
      const right = validate(value)
      if (right !== true) return right
      return Array.from(value.trim()).length > 1 || 'This must be longer than one letter'
    },
  }
}
/** The country's name, chosen or typed. */
const countryRules = {
  required: ACCOUNT_MESSAGES.countryRequired,
  validate: (value: string) =>
    value.trim() === ''
      ? ACCOUNT_MESSAGES.countryRequired
      : !!countryNamed(value) || 'Choose a country from the list',
}
