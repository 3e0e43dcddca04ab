import { useState } from 'react'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Icon } from '#ui/Icon.tsx'
import { TextButton } from '../../ui/Button.tsx'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'
import type { SettingField } from './sections.ts'
import { rowsOf, textOf, valueAt, valueOfText, type Values, withValue } from './values.ts'

interface FieldsProps {
  readonly fields: readonly SettingField[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

export const SettingFields = ({ fields, values, onChange }: FieldsProps) => (
  <div className="setting-fields">
    {fields.map((field) => (
      <OneField
        key={field.path}
        field={field}
        value={valueAt(values, field.path)}
        onChange={(value) => onChange(withValue(values, field.path, value))}
      />
    ))}
  </div>
)

interface OneFieldProps {
  readonly field: SettingField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const NONE: readonly never[] = []

function OneField({ field, value, onChange }: OneFieldProps) {
  const { kind = 'text', label, hint, options = NONE } = field
  if (kind === 'rows') return <Rows field={field} value={value} onChange={onChange} />
  if (kind === 'part')
    return (
      <label className="choice setting-part">
        <input
          type="checkbox"
          className="checkbox"
          checked={value !== false}
          onChange={({ target }) => onChange(target.checked ? undefined : false)}
        />
        <span>
          {label}
          {hint && <span className="hint"> {hint}</span>}
        </span>
      </label>
    )
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        hint={hint}
        value={textOf(field, value)}
        onChange={({ target }) => onChange(target.value || undefined)}
      >
        <option value="">Choose</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    )
  return <TextOf field={field} value={value} onChange={onChange} />
}

/** Keeps what is typed as it is: a list read back from its text would lose the blank that was just typed. */
function TextOf({ field, value, onChange }: OneFieldProps) {
  const { kind, label, hint } = field
  const [typed, setTyped] = useState<string>()
  const isSame = typed !== undefined && JSON.stringify(valueOfText(field, typed)) === JSON.stringify(value)
  const props = {
    label,
    hint,
    value: isSame ? typed : textOf(field, value),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setTyped(target.value)
      onChange(valueOfText(field, target.value))
    },
  }
  const isLong = kind === 'long' || kind === 'lines' || kind === 'links' || kind === 'words'
  return (
    <div className={isLong ? 'setting-wide' : undefined}>
      {isLong ? (
        <TextAreaField {...props} rows={kind === 'long' || kind === 'words' ? 2 : 4} />
      ) : (
        <Field {...props} inputMode={kind === 'number' ? 'numeric' : undefined} />
      )}
    </div>
  )
}

function Rows({ field, value, onChange }: OneFieldProps) {
  const { label, hint, add, columns = NONE } = field
  const rows = rowsOf(value)
  const setRows = (next: readonly Values[]) => onChange(next.length > 0 ? next : undefined)
  return (
    <fieldset className="plain-fieldset setting-wide">
      <legend className="visually-hidden">{label}</legend>
      {rows.map((row, index) => (
        <div key={index} className="setting-row" role="group" aria-label={`${label}, ${index + 1}`}>
          <SettingFields
            fields={columns}
            values={row}
            onChange={(next) => setRows(rows.map((each, at) => (at === index ? next : each)))}
          />
          <TextButton
            aria-label={`Remove: ${label}, ${index + 1}`}
            onClick={() => setRows(rows.filter((_, at) => at !== index))}
          >
            Remove
          </TextButton>
        </div>
      ))}
      <TextButton onClick={() => setRows([...rows, {}])}>
        <Icon of={PlusIcon} size={14} /> {add}
      </TextButton>
      {hint && <p className="hint">{hint}</p>}
    </fieldset>
  )
}
