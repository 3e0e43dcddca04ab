import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { Icon } from '#ui/Icon.tsx'

interface Words {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Takes the hint's place. */
  readonly error?: string | undefined
}

interface FrameProps extends Words {
  readonly id?: string | undefined
  readonly children: (wiring: Wiring) => ReactNode
}

interface Wiring {
  readonly id: string
  readonly className: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

function Frame({ label, hint, error, id: given, children }: FrameProps) {
  const own = useId()
  const id = given ?? own
  const note = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <p id={`${id}-note`} className={error ? 'hint bad' : 'hint'}>
          {error && <Icon of={WarningCircleIcon} size={18} />}
          <span>{note}</span>
        </p>
      )}
    </div>
  )
}

interface FormProps {
  /** What `handleSubmit` of React Hook Form returns. */
  readonly onSubmit: (event: FormEvent) => Promise<void>
  readonly children: ReactNode
}

/** Without the browser's own messages: the fields say what is wrong. */
export const Form = ({ onSubmit, children }: FormProps) => (
  <form className="form" noValidate onSubmit={(event) => void onSubmit(event)}>
    {children}
  </form>
)

/** Takes the props of its element, so `{...register('name')}` fits. */
export const Field = ({ label, hint, error, id, ...input }: Words & ComponentProps<'input'>) => (
  <Frame label={label} hint={hint} error={error} id={id}>
    {(wiring) => <input {...input} {...wiring} />}
  </Frame>
)

export const TextAreaField = ({ label, hint, error, id, ...area }: Words & ComponentProps<'textarea'>) => (
  <Frame label={label} hint={hint} error={error} id={id}>
    {(wiring) => <textarea rows={3} {...area} {...wiring} />}
  </Frame>
)

export const SelectField = ({
  label,
  hint,
  error,
  id,
  children,
  ...select
}: Words & ComponentProps<'select'>) => (
  <Frame label={label} hint={hint} error={error} id={id}>
    {(wiring) => (
      <select {...select} {...wiring}>
        {children}
      </select>
    )}
  </Frame>
)

interface ChoiceProps<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly options: readonly { readonly value: Value; readonly label: ReactNode; readonly note?: ReactNode }[]
  /** Undefined: nothing is chosen yet. */
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

export function RadioField<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset className="plain-fieldset">
      <legend className="label">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            className="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.note && <span className="hint"> {option.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
