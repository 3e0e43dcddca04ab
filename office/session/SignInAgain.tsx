import { FingerprintIcon } from '@phosphor-icons/react/dist/csr/Fingerprint'
import { useNavigate } from '@tanstack/react-router'
import { Dialog } from '#ui/Dialog.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { noteSignedIn } from '../net/session-state.ts'
import { queryClient } from '../net/query-client.ts'
import { Button } from '../ui/Button.tsx'
import { signInByPasskey, useCeremony } from './use-passkey.ts'

/** Over the page when the session has ended: what was typed stays where it is. */
export function SignInAgain() {
  const navigate = useNavigate()
  const { busy, refusal, run } = useCeremony(() => queryClient.invalidateQueries())
  const leave = () => {
    queryClient.clear()
    noteSignedIn()
    void navigate({
      to: '/sign-in',
      search: { next: `${location.pathname}${location.search}`.replace(/^\/office/, '') },
    })
  }
  return (
    <Dialog
      open
      onOpenChange={leave}
      title="You’ve been signed out"
      closeLabel="Another way"
      actions={
        <Button look="beak" icon={FingerprintIcon} busy={busy} onClick={() => void run(signInByPasskey)}>
          Sign in with your passkey
        </Button>
      }
    >
      <p>Your twelve hours are over, or somebody ended your session. What you typed is still here.</p>
      <Refusal message={refusal} />
    </Dialog>
  )
}
