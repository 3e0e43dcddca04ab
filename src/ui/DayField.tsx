import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { addDays, addMonths, dayIn, typedDay, weeksOf } from '#format/calendar-day.ts'
import { monthYear } from '#format/date.ts'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

interface DayFieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  id?: string
  /** The typed text: DD/MM/YYYY. */
  value: string
  /** The calendar is collapsed until a click opens it. */
  folded?: boolean
  /** The first day that can be chosen; there is no calendar while it is undefined. */
  first: string | undefined
  onChange: (typed: string) => void
  onBlur?: () => void
}

export function DayField({ value, first, folded = false, onChange, ...field }: DayFieldProps) {
  const [open, setOpen] = useState(!folded)
  const id = useId()
  return (
    <div className={styles.day}>
      <Field
        {...field}
        value={value}
        placeholder="DD/MM/YYYY"
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        trailing={
          <IconButton
            label={open ? 'Hide calendar' : 'Show calendar'}
            icon={<Icon of={CalendarBlankIcon} />}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          />
        }
      />
      <div id={id} className={styles.place} hidden={!open}>
        {first && (
          <Calendar chosen={dayIn(value)} first={first} onChoose={(day) => onChange(typedDay(day))} />
        )}
      </div>
    </div>
  )
}

interface CalendarProps {
  chosen: string | undefined
  first: string
  onChoose: (day: string) => void
}

function Calendar({ chosen, first, onChoose }: CalendarProps) {
  // The keyboard's current day; the calendar shows its month.
  const [moved, setMoved] = useState<{ from: string | undefined; to: string }>()
  const start = chosen !== undefined && chosen >= first ? chosen : first
  // If a day is typed meanwhile, show its month.
  const at = moved && moved.from === chosen ? moved.to : start
  const grid = useRef<HTMLTableElement>(null)
  const month = at.slice(0, 7)
  const go = (to: string) => setMoved({ from: chosen, to: to < first ? first : to })

  const press = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(at)
    if (to === undefined) return
    event.preventDefault()
    const next = to < first ? first : to
    go(next)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-day='${next}']`)?.focus())
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          label="Previous month"
          icon={<Icon of={CaretLeftIcon} />}
          disabled={month <= first.slice(0, 7)}
          onClick={() => go(addMonths(at, -1))}
        />
        <b aria-live="polite">{monthYear(at)}</b>
        <IconButton
          label="Next month"
          icon={<Icon of={CaretRightIcon} />}
          onClick={() => go(addMonths(at, 1))}
        />
      </div>
      <table aria-label={monthYear(at)} ref={grid}>
        <thead>
          <tr>
            {['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => (
              <th key={day} scope="col" abbr={day}>
                {day.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week, index) => (
            <tr key={index}>
              {week.map((day, column) => (
                <td key={column}>
                  {day && (
                    <button
                      type="button"
                      data-day={day}
                      className={cx(day === first && styles.first)}
                      disabled={day < first}
                      tabIndex={day === at ? 0 : -1}
                      aria-pressed={day === chosen}
                      aria-label={`${Number(day.slice(8))} ${monthYear(day)}`}
                      onKeyDown={press}
                      onClick={() => {
                        setMoved(undefined)
                        onChoose(day)
                      }}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const STEPS: Readonly<Record<string, (at: string) => string>> = {
  ArrowLeft: (at) => addDays(at, -1),
  ArrowRight: (at) => addDays(at, 1),
  ArrowUp: (at) => addDays(at, -7),
  ArrowDown: (at) => addDays(at, 7),
  PageUp: (at) => addMonths(at, -1),
  PageDown: (at) => addMonths(at, 1),
}
