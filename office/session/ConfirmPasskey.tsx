import { FingerprintIcon } from '@phosphor-icons/react/dist/csr/Fingerprint'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { useMe } from '../net/me.ts'
import { Button } from '../ui/Button.tsx'
import { confirmByPasskey, useCeremony } from './use-passkey.ts'

/** Before money moves, roles change or data leave the shop. The browser asks at once; the dialog stays if that fails. */
export function ConfirmPasskey({ answer }: { readonly answer: (confirmed: boolean) => void }) {
  const { byRecovery } = useMe()
  const { busy, refusal, run } = useCeremony(() => answer(true))
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current || byRecovery) return
    isStarted.current = true
    void run(confirmByPasskey)
  })
  return (
    <Dialog
      open
      onOpenChange={() => answer(false)}
      title={byRecovery ? 'This needs a passkey' : 'Is it you?'}
      closeLabel="Not now"
      actions={
        byRecovery ? undefined : (
          <Button look="beak" icon={FingerprintIcon} busy={busy} onClick={() => void run(confirmByPasskey)}>
            Use your passkey
          </Button>
        )
      }
    >
      {byRecovery ? (
        <p>
          You signed in with a recovery code.{' '}
          <Link to="/you" onClick={() => answer(false)}>
            Add a new passkey
          </Link>{' '}
          first.
        </p>
      ) : (
        <p>
          We ask once more before money moves, roles change or data leave the shop. It counts for five
          minutes.
        </p>
      )}
      <Refusal message={refusal} />
    </Dialog>
  )
}
