import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { Link } from '@tanstack/react-router'
import { Icon } from '#ui/Icon.tsx'
import { useListSearch } from '../../list/use-list-search.ts'
import { dayAndMonth } from '../../ui/when.ts'
import { inUnit, shifted, type Unit, unitOf } from './period.ts'

interface Span {
  readonly period: string
  readonly from: string
  readonly to: string
  readonly isSoFar: boolean
}

const UNITS: Readonly<Record<Unit, string>> = {
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  days: 'Days of your own',
}

/** The period is in the address, so that it can be sent to a colleague. */
export function PeriodPicker({ span }: { readonly span: Span }) {
  const { search, set } = useListSearch()
  const { period, from, to, isSoFar } = span
  const unit = unitOf(period)
  const goTo = (next: string) => ({ to: '.', search: { ...search, period: next } }) as const
  const setDays = (first: string, last: string) => {
    if (first && last && first <= last) set({ period: `${first}..${last}` })
  }
  return (
    <div className="period">
      <Link {...goTo(shifted(period, -1))} className="icon-button" aria-label="The period before">
        <Icon of={CaretLeftIcon} size={18} />
      </Link>
      {unit === 'days' ? (
        <span className="period-days">
          <input
            type="date"
            className="input"
            aria-label="First day"
            value={from}
            max={to}
            onChange={({ target }) => setDays(target.value, to)}
          />
          <input
            type="date"
            className="input"
            aria-label="Last day"
            value={to}
            min={from}
            onChange={({ target }) => setDays(from, target.value)}
          />
        </span>
      ) : (
        <b className="strong nowrap" role="status">
          {periodWords(span)}
        </b>
      )}
      {isSoFar ? (
        <button
          type="button"
          className="icon-button"
          aria-disabled="true"
          aria-label="The next period is still to come"
        >
          <Icon of={CaretRightIcon} size={18} />
        </button>
      ) : (
        <Link {...goTo(shifted(period, 1))} className="icon-button" aria-label="The next period">
          <Icon of={CaretRightIcon} size={18} />
        </Link>
      )}
      <select
        className="input"
        aria-label="Period"
        value={unit}
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the options below
        onChange={({ target }) => set({ period: inUnit(target.value as Unit, span) })}
      >
        {Object.entries(UNITS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`)
const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
const monthOf = (day: string): string => MONTHS.format(noon(day))

export function periodWords({ period, from, to }: Span): string {
  const year = from.slice(0, 4)
  const unit = unitOf(period)
  if (unit === 'year') return year
  if (unit === 'month') return `${monthOf(from)} ${year}`
  if (unit === 'quarter') return `${monthOf(from)} to ${monthOf(to)} ${year}`
  const isOneYear = year === to.slice(0, 4)
  return `${dayAndMonth(noon(from))}${isOneYear ? '' : ` ${year}`} to ${dayAndMonth(noon(to))} ${to.slice(0, 4)}`
}
