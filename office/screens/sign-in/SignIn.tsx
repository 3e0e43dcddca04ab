import { FingerprintIcon } from '@phosphor-icons/react/dist/csr/Fingerprint'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { useWrite } from '#writes/use-write.ts'
import { facts } from '../../facts.ts'
import { becomeMe } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { problemWords } from '../../net/use-act.ts'
import { Threshold } from '../../session/Threshold.tsx'
import { signInByPasskey, useCeremony } from '../../session/use-passkey.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Field, Form } from '../../ui/Field.tsx'

export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [hasLost, setLost] = useState(false)
  const enter = () =>
    navigate({ href: next?.startsWith('/') && !next.startsWith('//') ? next : '/', replace: true })
  const { busy, refusal, run } = useCeremony(enter)
  useEffect(() => {
    document.title = `Sign in | ${facts().name} office`
  }, [])

  return (
    <Threshold>
      <h1>Come in.</h1>
      {hasLost ? (
        <RecoveryForm onBack={() => setLost(false)} onDone={() => navigate({ to: '/you', replace: true })} />
      ) : (
        <>
          <p className="lead">
            Your passkey is on this computer, your phone or a security key. There’s no password to remember,
            or to lose.
          </p>
          <WrongAddress />
          <Refusal message={refusal} />
          <Button
            look="beak"
            wide
            icon={FingerprintIcon}
            busy={busy}
            sends
            onClick={() => void run(signInByPasskey)}
          >
            Sign in with your passkey
          </Button>
          <p className="spread">
            <TextButton onClick={() => void run(() => signInByPasskey({ nearby: true }))}>
              Use a phone nearby
            </TextButton>
            <TextButton onClick={() => setLost(true)}>Use a recovery code</TextButton>
          </p>
          <p className="hint">
            You’ll stay signed in for 12 hours on this computer. Before money moves we ask once more.
          </p>
        </>
      )}
    </Threshold>
  )
}

/** Browsers keep a passkey for one domain: on 127.0.0.1 none would be found. */
function WrongAddress() {
  const { origin } = facts()
  if (location.origin === origin) return null
  return (
    <p className="note">
      The office is open at <a href={`${origin}/office`}>{`${origin}/office`}</a>: your passkey works there.
    </p>
  )
}

interface Recovery {
  readonly email: string
  readonly code: string
}

function RecoveryForm({ onBack, onDone }: { readonly onBack: () => void; readonly onDone: () => unknown }) {
  const form = useForm<Recovery>({ defaultValues: { email: '', code: '' } })
  const { write, busy, refusal } = useWrite(
    (body: Recovery) => officeCall('POST /api/office/sign-in/recovery', { body }),
    {
      message: problemWords,
      form: { setError: form.setError, fields: ['email', 'code'] },
      onSuccess: (me) => {
        becomeMe(me)
        return onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit((given) => void write(given))}>
      <p className="lead">
        One of the ten codes you were given with your passkey. It lets you in once, to add a new one.
      </p>
      <Refusal message={refusal} />
      <Field
        label="Email address"
        type="email"
        autoComplete="email"
        error={form.formState.errors.email?.message}
        {...form.register('email', { required: 'Type the address you were invited at.' })}
      />
      <Field
        label="Recovery code"
        autoComplete="off"
        spellCheck={false}
        placeholder="abcde-fghij"
        error={form.formState.errors.code?.message}
        {...form.register('code', { required: 'Type one of your codes.' })}
      />
      <Button look="beak" type="submit" wide busy={busy} sends>
        Sign in
      </Button>
      <p>
        <TextButton onClick={onBack}>Use your passkey instead</TextButton>
      </p>
      <p className="hint">
        No code left? An owner can send you a new link from Team. An owner alone runs{' '}
        <code>npm run murmur -- office invite</code> on the server.
      </p>
    </Form>
  )
}
