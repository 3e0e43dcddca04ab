import { useState } from 'react'
import { countries } from '#format/countries.ts'
import { SelectField, type SelectFieldProps } from './SelectField.tsx'

/** A country by its code; without one yet, its first line asks for it. */
export function CountryField({
  label = 'Country',
  ...select
}: Omit<SelectFieldProps, 'children' | 'label'> & Partial<Pick<SelectFieldProps, 'label'>>) {
  const [all] = useState(countries)
  return (
    <SelectField label={label} autoComplete="country" {...select}>
      <option value="">Choose a country</option>
      {all.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
