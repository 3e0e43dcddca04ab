import { useId, type ReactNode } from 'react'
import choice from './Choice.module.css'
import { cx } from './cx.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

export interface RadioOption<T extends string> {
  value: T
  label: ReactNode
  note?: ReactNode | undefined
  disabled?: boolean | undefined
}

export interface RadioGroupProps<T extends string> {
  legend: ReactNode
  hideLegend?: boolean | undefined
  options: readonly RadioOption<T>[]
  value: T | undefined
  onChange: (value: T) => void
  /** Panels side by side instead of rows. */
  boxed?: boolean | undefined
  name?: string | undefined
  className?: string | undefined
}

export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { legend, hideLegend, options, value, onChange, boxed, className } = props
  const ownName = useId()
  const name = props.name ?? ownName
  return (
    <fieldset className={cx(choice.group, className)}>
      <legend className={hideLegend ? undefined : choice.legend}>
        {hideLegend ? <VisuallyHidden>{legend}</VisuallyHidden> : legend}
      </legend>
      <div className={cx(choice.list, boxed && choice.boxes)}>
        {options.map((option) => (
          <label key={option.value} className={cx(choice.choice, boxed && choice.boxed)}>
            <input
              type="radio"
              className={choice.dot}
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span className={cx(choice.words, choice.strong)}>
              {option.label}
              {option.note && <span className={choice.note}>{option.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
