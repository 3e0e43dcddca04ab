import { Link } from '@tanstack/react-router'
import { MEMBER_STATES } from '#contract/office/member-states.ts'
import type { ListedPerson } from '#contract/office/people.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import { State } from '../../ui/State.tsx'
import { exactly, when } from '../../ui/when.ts'
import { MEMBER_WORDS, MemberStateMark, PROBLEM_WORDS } from './person-words.tsx'

const COLUMNS: readonly Column<ListedPerson>[] = [
  {
    key: 'name',
    head: 'Name',
    sort: 'name',
    cutAt: 24,
    onPhone: 'start',
    cell: ({ id, name }) => (
      <Link to="/people/$id" params={{ id }} className="strong">
        {name}
      </Link>
    ),
  },
  {
    key: 'email',
    head: 'Email',
    sort: 'email',
    cutAt: 26,
    onPhone: 'below',
    cell: ({ email }) => <span className="muted">{email}</span>,
  },
  {
    key: 'plan',
    head: 'Plan',
    onPhone: 'end',
    cell: ({ plan }) => plan && <span className="nowrap">{plan}</span>,
  },
  { key: 'titles', head: 'Titles', isNumber: true, cell: ({ titles }) => titles || '' },
  {
    key: 'since',
    head: 'Here since',
    sort: 'since',
    cell: ({ since }) => (
      <time dateTime={since} title={exactly(since)} className="muted nowrap">
        {when(since)}
      </time>
    ),
  },
  {
    key: 'country',
    head: 'Country',
    isExtra: true,
    cell: ({ country }) => <span className="muted">{country}</span>,
  },
  { key: 'state', head: 'State', onPhone: 'below-end', cell: (person) => <PersonState person={person} /> },
]

function PersonState({
  person: { memberState, problems, bookshop, isConfirmed },
}: {
  readonly person: ListedPerson
}) {
  const problem = problems.find((each) => each !== 'payment')
  if (problem) return <State kind="look">{PROBLEM_WORDS[problem]}</State>
  if (bookshop) return <State kind="half">Bookshop, {bookshop}</State>
  if (memberState && memberState !== 'lapsed') return <MemberStateMark state={memberState} />
  if (!isConfirmed) return <State kind="draft">Not confirmed</State>
  return memberState ? <MemberStateMark state={memberState} /> : null
}

const FILTERS: readonly Filter[] = [
  {
    key: 'member',
    label: 'Membership',
    kind: 'choice',
    options: [
      { value: 'any', label: 'any that runs' },
      ...MEMBER_STATES.map((value) => ({ value, label: MEMBER_WORDS[value].words.toLowerCase() })),
      { value: 'none', label: 'never a member' },
    ],
  },
  {
    key: 'kind',
    label: 'Account',
    kind: 'choice',
    options: [
      { value: 'bookshop', label: 'a bookshop’s' },
      { value: 'unconfirmed', label: 'address not confirmed' },
      { value: 'blocked', label: 'blocked' },
    ],
  },
  { key: 'problem', label: 'Problem', kind: 'choice', options: [{ value: 'yes', label: 'has one' }] },
  { key: 'since', label: 'Here since', kind: 'days' },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Has a problem', search: { problem: 'yes' } },
  { name: 'Members', search: { member: 'any' } },
  { name: 'New this week', search: { since: 'week' } },
  { name: 'Bookshops', search: { kind: 'bookshop' } },
]

export function People() {
  const may = useMay()
  return (
    <OfficeTable<ListedPerson, unknown>
      list="people"
      title="People"
      noun={['person', 'people']}
      columns={COLUMNS}
      filters={FILTERS}
      views={VIEWS}
      searchFor="Name, address or order number"
      sort="-since"
      idOf={({ email }) => email}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/people', { query: { ...query, ...(after && { after }) } })
      }
      exportFile={
        may('people.export') ? (query) => officeFile('GET /api/office/people/export', { query }) : undefined
      }
      empty={{
        title: 'Nobody has an account yet.',
        help: 'Whoever buys something, joins or registers appears here.',
      }}
    />
  )
}
