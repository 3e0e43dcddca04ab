import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import type { UnsentEmail } from '#contract/office/emails.ts'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { Section } from '../../ui/Page.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'
import { emailName } from './email-name.ts'
import { Fate } from './Fate.tsx'

const COLUMNS: readonly Column<UnsentEmail>[] = [
  {
    key: 'kind',
    head: 'Email',
    onPhone: 'start',
    cell: ({ id, kind }) => (
      <Link to="/emails/waiting/$id" params={{ id }} className="strong">
        {emailName(kind)}
      </Link>
    ),
  },
  { key: 'to', head: 'To', cutAt: 40, onPhone: 'below', cell: ({ to }) => to ?? 'erased' },
  {
    key: 'queued',
    head: 'Written',
    sort: 'queued',
    onPhone: 'end',
    cell: ({ queuedAt }) => (
      <time dateTime={queuedAt} title={exactly(queuedAt)} className="muted nowrap">
        {when(queuedAt)}
      </time>
    ),
  },
  { key: 'fate', head: 'State', onPhone: 'below-end', cell: (email) => <Fate email={email} /> },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Waiting', search: { fate: 'waiting' } },
  { name: 'Given up', search: { fate: 'failed' } },
  { name: 'Held', search: { fate: 'paused' } },
]

const useTemplates = () =>
  useQuery({
    queryKey: ['emails', 'templates'],
    queryFn: () => officeCall('GET /api/office/emails/templates'),
  })

export function Emails() {
  const { data } = useTemplates()
  const filters: readonly Filter[] = [
    {
      key: 'fate',
      label: 'State',
      kind: 'choice',
      options: [
        { value: 'waiting', label: 'waiting' },
        { value: 'failed', label: 'given up' },
        { value: 'paused', label: 'held since the shop was restored' },
      ],
    },
    {
      key: 'kind',
      label: 'Email',
      kind: 'choice',
      options: (data?.templates ?? []).map(({ kind }) => ({
        value: kind,
        label: emailName(kind).toLowerCase(),
      })),
    },
  ]
  return (
    <OfficeTable<UnsentEmail, { readonly note: string | null }>
      list="emails"
      title="Emails"
      noun={['email not sent', 'emails not sent']}
      columns={COLUMNS}
      filters={filters}
      views={VIEWS}
      searchFor="A part of the address"
      sort="-queued"
      renewEveryMs={30_000}
      idOf={({ id }) => id}
      exportFile={(query) => officeFile('GET /api/office/emails/unsent/export', { query })}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/emails/unsent', { query: { ...query, ...(after && { after }) } })
      }
      sumWords={({ note }) => note ?? ''}
      empty={{ title: 'Nothing waits.', help: 'And nothing was given up: every email has gone out.' }}
    >
      <Templates />
      <Outlet />
    </OfficeTable>
  )
}

function Templates() {
  const templates = useTemplates()
  return (
    <Section title="All emails">
      {templates.error && !templates.data ? (
        <Failed what="The emails" problem={templates.error} onRetry={() => void templates.refetch()} />
      ) : (
        <table className="table keep" aria-busy={!templates.data}>
          <thead>
            <tr>
              <th>Email</th>
              <th className="wide-only" style={{ width: '45%' }}>
                Subject
              </th>
              <th className="num">In 30 days</th>
              <th className="wide-only">Last sent</th>
            </tr>
          </thead>
          <tbody>
            {!templates.data && <BoneRows widths={[160, 240, 40, 100]} rows={8} />}
            {templates.data?.templates.map(({ kind, subject, sent, lastSentAt }) => (
              <tr key={kind}>
                <td>
                  <Link to="/emails/$kind" params={{ kind }} className="strong nowrap">
                    {emailName(kind)}
                  </Link>
                </td>
                <td className="wide-only cut muted">{subject}</td>
                <td className="num">{sent.toLocaleString('en-GB')}</td>
                <td className="wide-only muted">{lastSentAt ? when(lastSentAt) : 'never'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
