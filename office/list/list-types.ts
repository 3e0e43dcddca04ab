import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly key: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** The server's key for this order; the column's head is then a button. */
  readonly sort?: string
  readonly isNumber?: true
  /** Long text, which ends in an ellipsis: its share of the width in per cent. */
  readonly cutAt?: number
  /** Hidden until the user adds it. */
  readonly isExtra?: true
  /** Its place in the two lines of a phone; left out there without one. */
  readonly onPhone?: 'start' | 'middle' | 'end' | 'below' | 'below-end'
}

interface FilterBase {
  readonly key: string
  readonly label: string
}
export type Filter = FilterBase &
  (
    | {
        readonly kind: 'choice'
        readonly options: readonly { readonly value: string; readonly label: string }[]
      }
    | { readonly kind: 'days' }
    | { readonly kind: 'text'; readonly hint: string }
    | { readonly kind: 'pounds' }
  )

/** Everything that a list's address says, as text. */
export type ListSearch = Readonly<Record<string, string>>

export interface ListPage<Row, Sums> {
  readonly rows: readonly Row[]
  readonly next: string | null
  /** Both are left out where only the rows were asked for. */
  readonly total?: number
  readonly sums?: Sums
}

/** A view that everybody has. */
export interface BuiltInView {
  readonly name: string
  readonly search: ListSearch
}

const DAYS: Readonly<Record<string, string>> = {
  today: 'today',
  yesterday: 'yesterday',
  week: 'in the last seven days',
  month: 'this month',
}
export const DAY_CHOICES = Object.entries(DAYS).map(([value, label]) => ({ value, label }))

/** What a chip says after its label. */
export function filterWords(filter: Filter, value: string): string {
  if (filter.kind === 'choice') return filter.options.find((option) => option.value === value)?.label ?? value
  if (filter.kind === 'pounds') return `£${value} or more`
  if (filter.kind === 'text') return `“${value}”`
  const [from = '', to = from] = value.split('..')
  return DAYS[value] ?? (from === to ? from : `from ${from} to ${to}`)
}

/** The filters in an address; what else is there (order, columns, a drawer's own) is not one. */
export const filtersIn = (search: ListSearch, filters: readonly Filter[]): ListSearch =>
  Object.fromEntries(
    ['words', ...filters.map(({ key }) => key)].flatMap((key) => (search[key] ? [[key, search[key]]] : [])),
  )
