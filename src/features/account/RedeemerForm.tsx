import { useId, type ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { PASSWORD_LENGTH } from '#contract/limits.ts'
import { COUNTRIES, countryNamed } from '#format/countries.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field, PasswordField } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import type { Registration } from './mutations.ts'
import { countryRules, longerNameRules } from './redeemer-rules.ts'
import { NameFields } from './NameFields.tsx'
import { Refusal } from './Refusal.tsx'
import { refusalWords, registrationRefused } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { emailRules, newPasswordRules } from './validation.ts'

interface RedeemerFormProps {
  /** Rejects with a `NetProblem` when the shop says no or nobody answers. */
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

/** An account for whoever holds a card: shorter than a registration, and on a phone (RDM-06 to RDM-09). */
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
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, registrationRefused), {
    setError,
    fields: ['firstName', 'lastName', 'password'],
  })

  const onSubmit = handleSubmit(async (typed) => {
    await submit(() =>
      send({
        email: typed.email.trim(),
        firstName: typed.firstName.trim(),
        lastName: typed.lastName.trim(),
        countryCode: countryNamed(typed.country)?.code ?? '',
        password: typed.password,
      }),
    )
  })
  const isShort = Array.from(password).length < PASSWORD_LENGTH.min

  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
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
        disabledReason={isValid || isSubmitting ? undefined : firstToMend(typed, errors)}
      >
        Create account
      </Button>
      {others && <div className={styles.others}>{others}</div>}
    </form>
  )
}

/** In the order of the form. */
const CALLED = {
  email: 'your email',
  firstName: 'your first name',
  lastName: 'your last name',
  country: 'your country',
  password: 'your password',
} as const satisfies Record<keyof Typed, string>
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const FIELDS = Object.keys(CALLED) as (keyof Typed)[]

/** The first field that keeps the form from being sent, and what to do about it. */
function firstToMend(typed: Typed, errors: Partial<Record<keyof Typed, unknown>>): string {
  const field = FIELDS.find((name) => typed[name].trim() === '' || errors[name])
  if (!field) return 'Check every field first.'
  return `${typed[field].trim() === '' ? 'Fill in' : 'Check'} ${CALLED[field]} first.`
}
