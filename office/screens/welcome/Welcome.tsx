import { FingerprintIcon } from '@phosphor-icons/react/dist/csr/Fingerprint'
import { KeyIcon } from '@phosphor-icons/react/dist/csr/Key'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ROLE_WORDS } from '#contract/office/permissions.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { facts } from '../../facts.ts'
import { becomeMe } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { makePasskey } from '../../net/passkey.ts'
import { queryClient } from '../../net/query-client.ts'
import { isRefused } from '../../net/use-act.ts'
import { RecoveryCodes } from '../../session/RecoveryCodes.tsx'
import { Threshold } from '../../session/Threshold.tsx'
import { addPasskey, useCeremony } from '../../session/use-passkey.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'

/** Where the link of an invitation leads. The token is in the fragment, which no server sees. */
export function Welcome() {
  const [token] = useState(() => location.hash.slice(1))
  const [codes, setCodes] = useState<readonly string[]>()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => officeCall('POST /api/office/invitations/open', { body: { token } }),
    retry: false,
    enabled: codes === undefined,
    refetchOnWindowFocus: false,
  })
  useEffect(() => {
    document.title = `Welcome | ${facts().name} office`
  }, [])

  return (
    <Threshold>
      {codes ? (
        <NewCodes codes={codes} />
      ) : data ? (
        <Accept token={token} invitation={data} onAccepted={setCodes} />
      ) : error ? (
        <NoInvitation problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="your invitation" />
      )}
    </Threshold>
  )
}

interface AcceptProps {
  readonly token: string
  readonly invitation: {
    readonly email: string
    readonly role: keyof typeof ROLE_WORDS
    readonly name: string | null
  }
  readonly onAccepted: (codes: readonly string[]) => void
}

function Accept({ token, invitation: { email, role, name: known }, onAccepted }: AcceptProps) {
  const form = useForm({ defaultValues: { name: known ?? '' } })
  const { busy, refusal, run } = useCeremony(() => undefined)
  const accept = async ({ name }: { readonly name: string }) => {
    const challenge = await officeCall('POST /api/office/invitations/options', { body: { token, name } })
    const answered = await makePasskey(challenge)
    const { me, recoveryCodes } = await officeCall('POST /api/office/invitations/accept', {
      body: { token, name, ...answered },
    })
    queryClient.clear()
    becomeMe(me)
    // The link is used up: a reload would only say so.
    history.replaceState(history.state, '', location.pathname)
    onAccepted(recoveryCodes)
  }
  return (
    <>
      <h1>{known ? `Hello again, ${known.split(' ')[0]}.` : 'There’s a desk for you.'}</h1>
      <p className="lead">
        {known
          ? `Make a passkey on this computer or your phone for ${email}. Your recovery codes are replaced, too.`
          : `You’re invited to help run ${facts().name}, as ${ROLE_WORDS[role].name.toLowerCase()} (${ROLE_WORDS[role].does}). Make a passkey with your fingerprint, face or PIN; there’s no password.`}
      </p>
      <Form onSubmit={form.handleSubmit((given) => void run(() => accept(given)))}>
        <Refusal message={refusal} />
        {!known && (
          <Field
            label="Your name"
            hint="Your colleagues see it beside what you did."
            autoComplete="name"
            error={form.formState.errors.name?.message}
            {...form.register('name', {
              required: 'Type your name.',
              maxLength: { value: 80, message: 'At most 80 letters.' },
            })}
          />
        )}
        <Button look="beak" type="submit" wide icon={FingerprintIcon} busy={busy} sends>
          Make my passkey
        </Button>
      </Form>
    </>
  )
}

function NewCodes({ codes }: { readonly codes: readonly string[] }) {
  const navigate = useNavigate()
  return (
    <>
      <h1>For the day you lose it.</h1>
      <p className="lead">
        Each of these ten codes lets you in once without your passkey. Print them, or put them where you keep
        your keys. They aren’t shown again.
      </p>
      <RecoveryCodes codes={codes} />
      <SecondPasskey />
      <p>
        <Button look="beak" wide onClick={() => void navigate({ to: '/', replace: true })}>
          I’ve kept them; open the office
        </Button>
      </p>
    </>
  )
}

function SecondPasskey() {
  const [isAdded, setAdded] = useState(false)
  const { busy, refusal, run } = useCeremony(() => setAdded(true))
  if (isAdded) return <p role="status">You have two passkeys now.</p>
  return (
    <>
      <p>A second passkey, of your phone or a security key, spares you the codes.</p>
      <Refusal message={refusal} />
      <p>
        <Button icon={KeyIcon} busy={busy} sends onClick={() => void run(addPasskey)}>
          Add a second passkey
        </Button>
      </p>
    </>
  )
}

function NoInvitation({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  const isOver = isRefused(problem, 410) || isRefused(problem, 400) || isRefused(problem, 422)
  if (!isOver) return <Failed what="Your invitation" problem={problem} onRetry={onRetry} />
  return (
    <>
      <h1>This link is used up.</h1>
      <p className="lead">
        It works once, for three days, and a newer one replaces it. Ask whoever invited you for another. If
        you made your passkey with it, sign in.
      </p>
      <p>
        <Link to="/sign-in" className="button solid">
          Sign in
        </Link>
      </p>
    </>
  )
}
