import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#ui/Field.tsx'

interface NameFieldsProps {
  first: UseFormRegisterReturn
  last: UseFormRegisterReturn
  errors: FieldErrors<{ firstName: string; lastName: string }>
}

export const NameFields = ({ first, last, errors }: NameFieldsProps) => (
  <>
    <Field
      label="First name"
      autoComplete="given-name"
      maxLength={100}
      error={errors.firstName?.message}
      {...first}
    />
    <Field
      label="Last name"
      autoComplete="family-name"
      maxLength={100}
      error={errors.lastName?.message}
      {...last}
    />
  </>
)
