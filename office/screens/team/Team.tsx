import { UserPlusIcon } from '@phosphor-icons/react/dist/csr/UserPlus'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { ROLE_WORDS, type Role } from '#contract/office/permissions.ts'
import type { Colleague, Invitation } from '#contract/office/team.ts'
import { useMe } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LinkButton, TextButton } from '../../ui/Button.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { State } from '../../ui/State.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { lastSeen, until } from '../../ui/when.ts'
import { ActivityLines, useActivity } from './ActivityLines.tsx'
import { LinkToHandOver } from './LinkToHandOver.tsx'

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: () => officeCall('GET /api/office/team'),
})

export function Team() {
  const { data, error, refetch } = useQuery(teamQuery)
  return (
    <Page
      title="Team"
      acts={
        <LinkButton look="beak" icon={UserPlusIcon} to="/team/invite">
          Invite somebody
        </LinkButton>
      }
    >
      {error && !data ? (
        <Failed what="The team" problem={error} onRetry={() => void refetch()} />
      ) : (
        <table className="table tall keep" aria-busy={!data}>
          <thead>
            <tr>
              <th>Who</th>
              <th>Role</th>
              <th className="wide-only">Passkeys</th>
              <th className="wide-only">Last seen</th>
              <th>
                <span className="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {!data && <BoneRows widths={[180, 120, 120, 80, 60]} rows={3} />}
            {data?.people.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
            {data?.invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </tbody>
        </table>
      )}
      <LatestActivity />
      <Outlet />
    </Page>
  )
}

function PersonRow({ person }: { readonly person: Colleague }) {
  const { id, name, email, role, lastSeenAt } = person
  const isMe = useMe().id === id
  return (
    <tr>
      <td>
        <Who name={name} email={email} note={isMe ? '(you)' : undefined} />
      </td>
      <td>
        <RoleWords role={role} />
      </td>
      <td className="wide-only">
        <Passkeys person={person} />
      </td>
      <td className="wide-only muted">{lastSeen(lastSeenAt)}</td>
      <td className="num">
        {isMe ? (
          <Link to="/you" className="text-button">
            Your passkeys
          </Link>
        ) : (
          <Link to="/team/$id" params={{ id }} className="text-button" aria-label={`Change ${name}`}>
            Change
          </Link>
        )}
      </td>
    </tr>
  )
}

/** A member of staff can lose a phone and still sign in: with two passkeys, or with one and recovery codes. */
function Passkeys({ person: { passkeys, recoveryCodesLeft } }: { readonly person: Colleague }) {
  const [first] = passkeys
  if (passkeys.length === 0) return <State kind="look">None</State>
  if (passkeys.length === 1 && recoveryCodesLeft === 0) return <State kind="look">One, {first}</State>
  const count = passkeys.length === 1 ? 'One' : passkeys.length === 2 ? 'Two' : String(passkeys.length)
  return <State kind="done">{recoveryCodesLeft > 0 ? `${count}, and recovery codes` : count}</State>
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { id, email, role, expiresAt } = invitation
  const again = useAct(() => officeCall('POST /api/office/team/invitations/{id}/again', { params: { id } }), {
    changes: [['team']],
  })
  const withdraw = useAct(() => officeCall('DELETE /api/office/team/invitations/{id}', { params: { id } }), {
    changes: [['team']],
    done: () => `Withdrew the invitation of ${email}.`,
  })
  return (
    <>
      <tr>
        <td>
          <Who name={email} email={`invited by ${invitation.invitedBy}`} />
        </td>
        <td>
          <RoleWords role={role} />
        </td>
        <td className="wide-only">
          <State kind="later">Invited, until {until(expiresAt)}</State>
        </td>
        <td className="wide-only muted">not yet</td>
        <td className="num">
          <span className="acts end">
            <TextButton
              onClick={() => void withdraw.write()}
              aria-label={`Withdraw the invitation of ${email}`}
            >
              Withdraw
            </TextButton>
            <TextButton onClick={() => void again.write()} aria-label={`Send ${email} again`}>
              Send again
            </TextButton>
          </span>
        </td>
      </tr>
      {(again.data || again.refusal || withdraw.refusal) && (
        <tr>
          <td colSpan={5}>
            {again.data ? (
              <LinkToHandOver invited={again.data} />
            ) : (
              <p className="refusal">{again.refusal || withdraw.refusal}</p>
            )}
          </td>
        </tr>
      )}
    </>
  )
}

const Who = ({
  name,
  email,
  note,
}: {
  readonly name: string
  readonly email: string
  readonly note?: string | undefined
}) => (
  <span className="with-picture">
    <Avatar name={name} />
    <span className="two-lines">
      <b className="strong">
        {name} {note && <span className="muted plain">{note}</span>}
      </b>
      <small>{email}</small>
    </span>
  </span>
)

const RoleWords = ({ role }: { readonly role: Role }) => (
  <span className="two-lines">
    <span>{ROLE_WORDS[role].name}</span>
    <small className="wide-only">{ROLE_WORDS[role].does}</small>
  </span>
)

function LatestActivity() {
  const { data, error, refetch } = useActivity({ limit: '8' })
  return (
    <Section
      title="Activity"
      note="nothing here is ever edited or removed"
      acts={
        <Link to="/activity" className="text-button">
          All activity
        </Link>
      }
    >
      {error && !data ? (
        <Failed what="The activity" problem={error} onRetry={() => void refetch()} />
      ) : (
        <ActivityLines entries={data?.rows} />
      )}
    </Section>
  )
}
