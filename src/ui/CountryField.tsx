import { COUNTRIES } from '#format/countries.ts'
import { SelectField, type SelectFieldProps } from './Field.tsx'

interface CountryFieldProps
  extends Omit<SelectFieldProps, 'children' | 'label'>, Partial<Pick<SelectFieldProps, 'label'>> {
  /** The codes to choose from; all countries if undefined. */
  among?: readonly string[] | undefined
}

/** Selects a country by code; if the value is empty, the first option is a prompt. */
export function CountryField({ label = 'Country', among, ...select }: CountryFieldProps) {
  return (
    <SelectField label={label} autoComplete="country" {...select}>
      <option value="">Choose a country</option>
      {COUNTRIES.filter(({ code }) => among?.includes(code) ?? true).map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
