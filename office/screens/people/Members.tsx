import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { Link, Outlet } from '@tanstack/react-router'
import { MEMBER_STATES } from '#contract/office/member-states.ts'
import type { ListedMember } from '#contract/office/members.ts'
import { amount } from '#format/money.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { useListSearch } from '../../list/use-list-search.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { RemedyButton } from '../../ui/RemedyButton.tsx'
import { exactly, onDay } from '../../ui/when.ts'
import { MEMBER_WORDS, MemberStateMark } from './person-words.tsx'

const TIMES = ['', 'once', 'twice']

function Next({ member: { next, state, until, refused } }: { readonly member: ListedMember }) {
  if (state === 'failing')
    return (
      <span className="bad">{refused > 0 ? `tried ${TIMES[refused] ?? `${refused} times`}` : 'failing'}</span>
    )
  if (next)
    return (
      <time dateTime={next.at} title={exactly(next.at)} className="nowrap">
        {amount(next.minor)} on {onDay(next.at)}
      </time>
    )
  return (
    <span className="muted nowrap">
      {state === 'lapsed' ? 'was over' : 'ends'} {onDay(until)}
    </span>
  )
}

const NAME: Column<ListedMember> = {
  key: 'name',
  head: 'Member',
  sort: 'name',
  cutAt: 22,
  onPhone: 'start',
  cell: ({ name }) => <b className="strong">{name}</b>,
}
const REST: readonly Column<ListedMember>[] = [
  {
    key: 'email',
    head: 'Email',
    cutAt: 24,
    cell: ({ email }) => <span className="muted">{email}</span>,
  },
  { key: 'plan', head: 'Plan', onPhone: 'end', cell: ({ plan }) => <span className="nowrap">{plan}</span> },
  {
    key: 'since',
    head: 'Since',
    sort: 'since',
    cell: ({ since }) => (
      <time dateTime={since} title={exactly(since)} className="muted nowrap">
        {onDay(since)}
      </time>
    ),
  },
  {
    key: 'next',
    head: 'Next payment',
    sort: 'next',
    onPhone: 'below',
    cell: (member) => <Next member={member} />,
  },
  {
    key: 'until',
    head: 'Paid until',
    isExtra: true,
    cell: ({ until }) => <span className="nowrap">{onDay(until)}</span>,
  },
  { key: 'choose', head: 'To choose', isNumber: true, cell: ({ toChoose }) => toChoose },
  {
    key: 'state',
    head: 'State',
    onPhone: 'below-end',
    cell: ({ state }) => <MemberStateMark state={state} />,
  },
]

/** For failing payments: the reason and what to do, instead of the columns of other members. */
const FAILING: readonly Column<ListedMember>[] = [
  ...REST.filter(({ key }) => ['email', 'plan', 'next'].includes(key)),
  {
    key: 'why',
    head: 'Why',
    cutAt: 20,
    cell: ({ failing }) => failing?.reason ?? <span className="muted">not said</span>,
  },
  {
    key: 'benefits',
    head: 'Benefits until',
    cell: ({ failing }) =>
      failing?.benefitsUntil && <span className="nowrap">{onDay(failing.benefitsUntil)}</span>,
  },
  {
    key: 'act',
    head: 'What to do',
    onPhone: 'below-end',
    cell: ({ failing, name }) =>
      failing?.act ? (
        <RemedyButton remedy={failing.act} about={name} />
      ) : (
        <span className="muted nowrap">no email to repeat</span>
      ),
  },
]

const LINKED_NAME: Column<ListedMember> = {
  ...NAME,
  cell: ({ id, name }) =>
    id ? (
      <Link to="/people/$id" params={{ id }} className="strong">
        {name}
      </Link>
    ) : (
      <span className="muted">{name}</span>
    ),
}
const NAMED = { failing: [NAME, ...FAILING], rest: [NAME, ...REST] }
const LINKED = { failing: [LINKED_NAME, ...FAILING], rest: [LINKED_NAME, ...REST] }

const FILTERS: readonly Filter[] = [
  {
    key: 'state',
    label: 'State',
    kind: 'choice',
    options: MEMBER_STATES.map((value) => ({ value, label: MEMBER_WORDS[value].words.toLowerCase() })),
  },
  {
    key: 'tier',
    label: 'Plan',
    kind: 'choice',
    options: [
      { value: 'supporter', label: 'Supporter' },
      { value: 'reader', label: 'Reader' },
      { value: 'avid', label: 'Avid Reader' },
    ],
  },
  { key: 'choose', label: 'To choose', kind: 'choice', options: [{ value: 'yes', label: 'something' }] },
  { key: 'since', label: 'Since', kind: 'days' },
  { key: 'account', label: 'Account', kind: 'choice', options: [{ value: 'closed', label: 'closed' }] },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Payment failing', search: { state: 'failing' } },
  { name: 'Trials', search: { state: 'trial' } },
  { name: 'Leaving', search: { state: 'leaving' } },
  { name: 'Gifts', search: { state: 'gift' } },
  { name: 'Haven’t chosen', search: { choose: 'yes' } },
  { name: 'Over', search: { state: 'lapsed' } },
  { name: 'Account closed', search: { account: 'closed' } },
]

export function Members() {
  const may = useMay()
  const { search } = useListSearch()
  const columns = (may('people.read') ? LINKED : NAMED)[search.state === 'failing' ? 'failing' : 'rest']
  return (
    <OfficeTable<ListedMember, { readonly monthMinor: number }>
      list="members"
      title="Members"
      noun={['member', 'members']}
      columns={columns}
      filters={FILTERS}
      views={VIEWS}
      searchFor="Name or address"
      sort="next"
      idOf={({ id, email, since, until }) => id ?? `${email} ${since} ${until}`}
      acts={
        may('members.change') && (
          <LinkButton icon={GiftIcon} to="/members/give">
            Give a membership
          </LinkButton>
        )
      }
      fetchPage={(query, after) =>
        officeCall('GET /api/office/members', { query: { ...query, ...(after && { after }) } })
      }
      sumWords={({ monthMinor }) => `${amount(monthMinor)} a month`}
      exportFile={
        may('people.export') ? (query) => officeFile('GET /api/office/members/export', { query }) : undefined
      }
      empty={{
        title: 'There are no members yet.',
        help: 'Whoever joins, tries or is given a membership appears here.',
      }}
    >
      <Outlet />
    </OfficeTable>
  )
}
