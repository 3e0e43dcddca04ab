import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Role, ROLE_WORDS, ROLES } from '#contract/office/permissions.ts'
import type { Colleague } from '#contract/office/team.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { RadioField } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { lastSeen } from '../../ui/when.ts'
import { teamQuery } from './Team.tsx'

export function ColleagueDrawer() {
  const { id } = useParams({ from: '/shell/team/$id' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/team' })
  const { data, error, refetch } = useQuery(teamQuery)
  const person = data?.people.find((each) => each.id === id)
  return (
    <Drawer title={person?.name ?? 'Team'} onClose={close}>
      {person ? (
        <Details key={person.id} person={person} onGone={close} />
      ) : error ? (
        <Failed what="The team" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Empty title="Nobody by that address." help="They may have left the team." />
      ) : (
        <Loading what="the team" />
      )}
    </Drawer>
  )
}

function Details({ person, onGone }: { readonly person: Colleague; readonly onGone: () => void }) {
  const { id, name, email, passkeys, recoveryCodesLeft, lastSeenAt, isSignedIn } = person
  const [role, setRole] = useState<Role>(person.role)
  const change = useAct(
    (to: Role) => officeCall('PATCH /api/office/team/{id}', { params: { id }, body: { role: to } }),
    {
      changes: [['team']],
      done: (reply) => `${name} is ${ROLE_WORDS[reply.role].name.toLowerCase()} now.`,
      entry: ({ entry }) => entry,
    },
  )
  const signOut = useAct(() => officeCall('POST /api/office/team/{id}/sign-out', { params: { id } }), {
    changes: [['team']],
    done: () => `${name} is signed out everywhere.`,
  })
  const remove = useAct(() => officeCall('DELETE /api/office/team/{id}', { params: { id } }), {
    changes: [['team']],
    done: () => `${name} is off the team.`,
    onDone: onGone,
  })
  return (
    <div className="form">
      <dl className="facts">
        <div>
          <dt>Address</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Passkeys</dt>
          <dd>{passkeys.join(', ') || 'none'}</dd>
        </div>
        <div>
          <dt>Recovery codes left</dt>
          <dd>{recoveryCodesLeft}</dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>{lastSeen(lastSeenAt)}</dd>
        </div>
      </dl>
      <Refusal message={change.refusal || signOut.refusal || remove.refusal} />
      <RadioField
        legend="Role"
        name="role"
        value={role}
        onChange={setRole}
        options={ROLES.map((value) => ({
          value,
          label: ROLE_WORDS[value].name,
          note: ROLE_WORDS[value].does,
        }))}
      />
      <Button
        look="beak"
        busy={change.busy}
        sends
        why={role === person.role ? 'This is the role they have.' : undefined}
        onClick={() => void change.write(role)}
      >
        Make {name.split(' ')[0]} {ROLE_WORDS[role].name.toLowerCase()}
      </Button>
      <h3>A lost laptop, or somebody who leaves</h3>
      <Button
        busy={signOut.busy}
        sends
        why={isSignedIn ? undefined : 'They aren’t signed in anywhere.'}
        onClick={() => void signOut.write()}
      >
        Sign them out everywhere
      </Button>
      <Button look="danger" busy={remove.busy} sends onClick={() => void remove.write()}>
        Take {name.split(' ')[0]} off the team
      </Button>
      <p className="hint">What they did stays in the activity. To bring them back, invite them again.</p>
    </div>
  )
}
