import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import type { User } from '#contract/account.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { CountryField } from '#ui/CountryField.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { placeViolations, useWrite } from '#writes/use-write.ts'
import styles from './account-forms.module.css'
import { NameFields } from './NameFields.tsx'
import { useBriefly } from '#ui/use-now.ts'
import { firstNameRules, lastNameRules } from './validation.ts'

const FIELDS = [
  'firstName',
  'lastName',
  'address1',
  'address2',
  'city',
  'county',
  'countryCode',
  'postCode',
] as const

interface ProfileFormProps {
  user: User
  /** Resolves with the saved user. */
  save: (profile: ProfileFields) => Promise<User>
}

export function ProfileForm({ user, save }: ProfileFormProps) {
  const { register, handleSubmit, formState, reset, setError } = useForm<ProfileFields>({
    mode: 'onTouched',
    defaultValues: profileOf(user),
  })
  const { errors, isDirty, isSubmitting } = formState
  const [outcome, show] = useBriefly<'saved' | 'failed'>()

  const [isOpen, setOpen] = useState(false)
  const { write } = useWrite(save, {
    onSuccess: (saved) => {
      reset(profileOf(saved))
      show('saved')
      announce(ACCOUNT_MESSAGES.changesSaved)
    },
    onFailure: (problem) => {
      // A field that is folded away can't get the focus.
      if (problem instanceof NetProblem && problem.violations.length > 0) flushSync(() => setOpen(true))
      if (placeViolations(problem, { setError, fields: FIELDS })) return
      show('failed')
      announce(ACCOUNT_MESSAGES.saveFailed, 'assertive')
    },
  })
  const onSubmit = handleSubmit((profile) => write(profile))
  const words = outcome === 'saved' ? ACCOUNT_MESSAGES.changesSaved : outcome && ACCOUNT_MESSAGES.saveFailed

  return (
    <form className={`${styles.form} ${styles.wide}`} onSubmit={(event) => void onSubmit(event)} noValidate>
      <div className={styles.pair}>
        <NameFields
          first={register('firstName', firstNameRules)}
          last={register('lastName', lastNameRules)}
          errors={errors}
        />
      </div>
      <details
        className={styles.addresses}
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <Icon of={CaretRightIcon} size={20} />
          <span>
            <b>Addresses</b>
            <span className="quiet">{addressOf(user) || 'For receipts, if you want one on them'}</span>
          </span>
        </summary>
        <div className={styles.pair}>
          <Field
            label="Address"
            autoComplete="address-line1"
            maxLength={200}
            error={errors.address1?.message}
            {...register('address1')}
          />
          <Field
            label="Address line 2"
            autoComplete="address-line2"
            maxLength={200}
            error={errors.address2?.message}
            {...register('address2')}
          />
          <Field
            label="City"
            autoComplete="address-level2"
            maxLength={200}
            error={errors.city?.message}
            {...register('city')}
          />
          <Field
            label="County"
            autoComplete="address-level1"
            maxLength={200}
            error={errors.county?.message}
            {...register('county')}
          />
          <CountryField error={errors.countryCode?.message} {...register('countryCode')} />
          <Field
            label="Post code"
            autoComplete="postal-code"
            maxLength={200}
            error={errors.postCode?.message}
            {...register('postCode')}
          />
        </div>
      </details>
      <div className="row gap-3">
        <Button type="submit" look="solid" busy={isSubmitting}>
          {words ?? 'Save changes'}
        </Button>
        <Button look="quiet" disabled={!isDirty || isSubmitting} onClick={() => reset()}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const addressOf = ({ address1, address2, city, county, postCode }: User) =>
  [address1, address2, city, county, postCode].filter(Boolean).join(', ')

/** Without nulls, for the form. */
export interface ProfileFields {
  firstName: string
  lastName: string
  address1: string
  address2: string
  city: string
  county: string
  countryCode: string
  postCode: string
}

const profileOf = (user: User): ProfileFields => ({
  firstName: user.firstName,
  lastName: user.lastName,
  address1: user.address1 ?? '',
  address2: user.address2 ?? '',
  city: user.city ?? '',
  county: user.county ?? '',
  countryCode: user.countryCode ?? '',
  postCode: user.postCode ?? '',
})

/** Empty fields become null. */
export const toWire = ({ firstName, lastName, ...optional }: ProfileFields) => ({
  firstName,
  lastName,
  address1: optional.address1.trim() || null,
  address2: optional.address2.trim() || null,
  city: optional.city.trim() || null,
  county: optional.county.trim() || null,
  countryCode: optional.countryCode || null,
  postCode: optional.postCode.trim() || null,
})
