import { Field, type FieldProps } from './Field.tsx'

/** An address for mail; where it is another person's, with `autoComplete="off"`. */
export const EmailField = ({
  label = 'Email',
  autoComplete = 'email',
  ...field
}: Omit<FieldProps, 'type' | 'inputMode' | 'label'> & Partial<Pick<FieldProps, 'label'>>) => (
  <Field {...field} label={label} type="email" inputMode="email" autoComplete={autoComplete} />
)
