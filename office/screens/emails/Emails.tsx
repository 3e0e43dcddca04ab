import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import type { UnsentEmail } from '#contract/office/emails.ts'
import { officeCall } from '../../net/office-call.ts'
import { Page, Section } from '../../ui/Page.tsx'
import { State } from '../../ui/State.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'
import { emailName } from './email-name.ts'

export function Emails() {
  const unsent = useQuery({
    queryKey: ['emails', 'unsent'],
    queryFn: () => officeCall('GET /api/office/emails/unsent'),
    refetchInterval: 30_000,
  })
  const templates = useQuery({
    queryKey: ['emails', 'templates'],
    queryFn: () => officeCall('GET /api/office/emails/templates'),
  })
  return (
    <Page title="Emails" sub="What waits or could not be sent, and every email that the shop can send.">
      <Section title="Waiting and failed" note={unsent.data?.note}>
        {unsent.error && !unsent.data ? (
          <Failed what="The waiting emails" problem={unsent.error} onRetry={() => void unsent.refetch()} />
        ) : unsent.data?.emails.length === 0 ? (
          <p className="muted">Nothing waits, and nothing was given up.</p>
        ) : (
          <table className="table keep" aria-busy={!unsent.data}>
            <thead>
              <tr>
                <th>Email</th>
                <th style={{ width: '40%' }}>To</th>
                <th className="wide-only">Written</th>
                <th>State</th>
              </tr>
            </thead>
            <tbody>
              {!unsent.data && <BoneRows widths={[160, 180, 100, 120]} rows={3} />}
              {unsent.data?.emails.map((email) => (
                <tr key={email.id}>
                  <td>
                    <Link to="/emails/waiting/$id" params={{ id: email.id }} className="strong">
                      {emailName(email.kind)}
                    </Link>
                  </td>
                  <td className="cut">{email.to ?? 'erased'}</td>
                  <td className="wide-only muted">{when(email.queuedAt)}</td>
                  <td>
                    <Fate email={email} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
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
      <Outlet />
    </Page>
  )
}

export function Fate({ email: { fate, attempts, nextAttemptAt, problem } }: { readonly email: UnsentEmail }) {
  if (fate === 'failed')
    return (
      <State kind="broken">
        Given up{problem === 'unreachable' ? ': no answer' : problem ? `: refused (${problem})` : ''}
      </State>
    )
  if (fate === 'paused') return <State kind="look">Held since the shop was restored</State>
  return (
    <State kind="later">
      {attempts === 0 || nextAttemptAt === null
        ? 'Waiting'
        : `Tried ${attempts} times, again ${exactly(nextAttemptAt)}`}
    </State>
  )
}
