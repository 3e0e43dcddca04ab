import { Link, Outlet } from '@tanstack/react-router'
import type { CodeState, ListedCode } from '#contract/office/codes.ts'
import { amount } from '#format/money.ts'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { LinkButton, TextButton } from '../../ui/Button.tsx'
import { State, type StateKind } from '../../ui/State.tsx'
import { when } from '../../ui/when.ts'

export const TARGETS: Readonly<Record<ListedCode['target'], string>> = {
  all: 'Everything',
  cheapest_book: 'The cheapest title of a bag',
  book: 'One title',
  subscription: 'Memberships',
  monthly: 'Memberships by the month',
  yearly: 'Memberships by the year',
}

const STATES: Readonly<Record<CodeState, { readonly kind: StateKind; readonly words: string }>> = {
  works: { kind: 'on', words: 'Works' },
  later: { kind: 'later', words: 'Later' },
  over: { kind: 'retired', words: 'Over' },
  stopped: { kind: 'retired', words: 'Ended' },
}

function stateWords({ state, endsAt, startsAt, uses, taken }: ListedCode): string {
  if (state === 'works' && uses !== null && taken >= uses) return 'Used up'
  // The last valid day: a code that ends at midnight is over on the day that begins then.
  if (state === 'works' && endsAt) return `Until ${when(new Date(Date.parse(endsAt) - 1).toISOString())}`
  if (state === 'later' && startsAt) return `From ${when(startsAt)}`
  return STATES[state].words
}

const COLUMNS: readonly Column<ListedCode>[] = [
  { key: 'code', head: 'Code', onPhone: 'start', cell: ({ code }) => <b className="strong">{code}</b> },
  { key: 'discount', head: 'Takes', onPhone: 'end', cell: ({ discount }) => discount },
  {
    key: 'target',
    head: 'Off',
    onPhone: 'below',
    cell: ({ target }) => <span className="muted">{TARGETS[target]}</span>,
  },
  {
    key: 'used',
    head: 'Used',
    isNumber: true,
    cell: ({ taken, uses }) => (uses === null ? taken : `${taken} of ${uses}`),
  },
  { key: 'cost', head: 'Cost so far', isNumber: true, cell: ({ costMinor }) => amount(costMinor) },
  { key: 'sold', head: 'Sold with it', isNumber: true, cell: ({ soldMinor }) => amount(soldMinor) },
  {
    key: 'state',
    head: 'State',
    onPhone: 'below-end',
    cell: (row) => (
      <State
        kind={
          row.state === 'works' && row.uses !== null && row.taken >= row.uses
            ? 'done'
            : STATES[row.state].kind
        }
      >
        {stateWords(row)}
      </State>
    ),
  },
  { key: 'act', head: 'Change', cell: (row) => <Switch code={row} /> },
]

const FILTERS: readonly Filter[] = [
  {
    key: 'state',
    label: 'State',
    kind: 'choice',
    options: Object.entries(STATES).map(([value, { words }]) => ({ value, label: words.toLowerCase() })),
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Working', search: { state: 'works' } },
  { name: 'Ended', search: { state: 'stopped' } },
]

export function Codes() {
  const may = useMay()
  return (
    <OfficeTable<ListedCode, { readonly costMinor: number }>
      list="codes"
      title="Discount codes"
      noun={['code', 'codes']}
      columns={COLUMNS}
      filters={FILTERS}
      views={VIEWS}
      searchFor="A code, or a part of it"
      sort="code"
      idOf={({ code }) => code}
      exportFile={({ sort: _sort, ...query }) => officeFile('GET /api/office/codes/export', { query })}
      fetchPage={({ sort: _sort, ...query }, after) =>
        officeCall('GET /api/office/codes', { query: { ...query, ...(after && { after }) } })
      }
      sumWords={({ costMinor }) => `${amount(costMinor)} taken off so far`}
      acts={
        may('codes.change') && (
          <LinkButton look="beak" to="/codes/new">
            Make a code
          </LinkButton>
        )
      }
      empty={{ title: 'No codes yet.', help: 'A code takes some per cent or pounds off, for whom you like.' }}
    >
      <Outlet />
    </OfficeTable>
  )
}

function Switch({ code: { code, state } }: { readonly code: ListedCode }) {
  const may = useMay()
  const isStopped = state === 'stopped'
  const change = useAct(
    () =>
      isStopped
        ? officeCall('POST /api/office/codes/{code}/start', { params: { code } })
        : officeCall('POST /api/office/codes/{code}/stop', { params: { code } }),
    { changes: [['codes']], done: ({ what }) => `${what}.`, entry: ({ entry }) => entry },
  )
  if (change.refusal) return <span className="bad small">{change.refusal}</span>
  if (!may('codes.change') || state === 'over')
    return (
      <Link to="/orders" search={{ code }}>
        Orders
      </Link>
    )
  return (
    <TextButton
      aria-busy={change.busy || undefined}
      aria-label={`${isStopped ? 'Start again' : 'End'} ${code}`}
      onClick={() => void change.write()}
    >
      {isStopped ? 'Start again' : 'End'}
    </TextButton>
  )
}
