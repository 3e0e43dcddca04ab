import { KeyIcon } from '@phosphor-icons/react/dist/csr/Key'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ROLE_WORDS } from '#contract/office/permissions.ts'
import { readScheme, writeScheme } from '#ui/scheme.ts'
import { Switch } from '#ui/Checkbox.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { becomeMe, useMe } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { renew, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { RecoveryCodes } from '../../session/RecoveryCodes.tsx'
import { signOutHere } from '../../session/sign-out.ts'
import { addPasskey, useCeremony } from '../../session/use-passkey.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { exactly, lastSeen } from '../../ui/when.ts'

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => officeCall('GET /api/office/passkeys'),
})

/** One's own passkeys, recovery codes, name and habits. */
export function You() {
  const me = useMe()
  return (
    <Page
      title={me.name}
      sub={`${ROLE_WORDS[me.role].name}: ${ROLE_WORDS[me.role].does}. Signed in until ${exactly(me.endsAt)}.`}
      acts={<SignOutButton />}
    >
      <div className="narrow">
        {me.byRecovery && (
          <p className="note">
            <b>You came in with a recovery code.</b> Add a passkey now: without one you can look, and little
            else.
          </p>
        )}
        <Passkeys />
        <Codes />
        <Section title="You">
          <NameForm />
        </Section>
        <Habits />
      </div>
    </Page>
  )
}

function SignOutButton() {
  const { write, busy } = useAct(() => officeCall('POST /api/office/sign-out'), { onDone: signOutHere })
  return (
    <Button icon={SignOutIcon} busy={busy} sends onClick={() => void write()}>
      Sign out
    </Button>
  )
}

function Passkeys() {
  const { data, error, refetch } = useQuery(passkeysQuery)
  const { busy, refusal, run } = useCeremony(() => renew([['passkeys'], ['team']]))
  const remove = useAct((id: string) => officeCall('DELETE /api/office/passkeys/{id}', { params: { id } }), {
    changes: [['passkeys'], ['team'], ['me']],
    done: () => 'Removed the passkey.',
  })
  return (
    <Section title="Passkeys" note="one lost phone shouldn’t lock you out">
      {error && !data ? (
        <Failed what="Your passkeys" problem={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading what="your passkeys" />
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>Passkey</th>
              <th className="wide-only">Last used</th>
              <th>
                <span className="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.passkeys.map(({ id, name, lastUsedAt, isSynced }) => (
              <tr key={id}>
                <td>
                  {name}{' '}
                  <span className="muted">
                    {isSynced ? '(on all your devices)' : '(on that device only)'}
                  </span>
                </td>
                <td className="wide-only muted">{lastSeen(lastUsedAt)}</td>
                <td className="num">
                  {data.passkeys.length > 1 && (
                    <TextButton aria-label={`Remove ${name}`} onClick={() => void remove.write(id)}>
                      Remove
                    </TextButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Refusal message={refusal || remove.refusal} />
      <p className="below">
        <Button look="beak" icon={KeyIcon} busy={busy} sends onClick={() => void run(addPasskey)}>
          Add a passkey
        </Button>
      </p>
    </Section>
  )
}

function Codes() {
  const { recoveryCodesLeft } = useMe()
  const renewal = useAct(() => officeCall('POST /api/office/recovery-codes'), {
    changes: [['me'], ['passkeys'], ['team']],
  })
  return (
    <Section title="Recovery codes" note={`${recoveryCodesLeft} of ten left`}>
      <p className="muted">
        Each lets you in once without a passkey, to add a new one. New codes replace the old ones.
      </p>
      {renewal.data && <RecoveryCodes codes={renewal.data.recoveryCodes} />}
      <Refusal message={renewal.refusal} />
      <p className="below">
        <Button busy={renewal.busy} sends onClick={() => void renewal.write()}>
          Make ten new codes
        </Button>
      </p>
    </Section>
  )
}

function NameForm() {
  const { name } = useMe()
  const form = useForm({ defaultValues: { name } })
  const draft = useFormDraft('your name', form)
  const { write, busy, refusal } = useAct(
    (body: { readonly name: string }) => officeCall('PATCH /api/office/me', { body }),
    {
      changes: [['team']],
      form: { setError: form.setError, fields: ['name'] },
      done: () => 'Saved.',
      onDone: (me) => {
        becomeMe(me)
        draft.discard()
        form.reset({ name: me.name })
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit((given) => void write(given))}>
      <Refusal message={refusal} />
      <Field
        label="Name"
        hint="Your colleagues see it beside what you did from now on."
        autoComplete="name"
        error={form.formState.errors.name?.message}
        {...form.register('name', { required: 'Type your name.' })}
      />
      <p>
        <Button type="submit" data-save busy={busy} sends>
          Save
        </Button>
      </p>
    </Form>
  )
}

function Habits() {
  const { singleKeys } = useMe()
  const [scheme, setScheme] = useState(readScheme)
  const keys = useAct(
    (body: { readonly singleKeys: boolean }) => officeCall('PATCH /api/office/me', { body }),
    {
      onDone: becomeMe,
    },
  )
  return (
    <Section title="Habits">
      <div className="form">
        <Switch
          label="Single-letter keys"
          note="J and K move, X selects, G and a letter goes somewhere. ? lists them all."
          checked={singleKeys}
          onChange={({ target }) => void keys.write({ singleKeys: target.checked })}
        />
        <RadioField
          legend="Colours"
          name="scheme"
          value={scheme}
          onChange={(value) => {
            writeScheme(value)
            setScheme(value)
          }}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
    </Section>
  )
}
