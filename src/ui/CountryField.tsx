import { COUNTRIES } from '#format/countries.ts'
import { SelectField, type SelectFieldProps } from './Field.tsx'

interface CountryFieldProps
  extends Omit<SelectFieldProps, 'children' | 'label'>, Partial<Pick<SelectFieldProps, 'label'>> {
  /** Codes of those that can be chosen; without it all of them. */
  among?: readonly string[] | undefined
}

/** A country by its code; without one yet, its first line asks for it. */
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
