import { useRef, useState } from 'react'
import type { User } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import styles from './AccountForm.module.css'
import { ChangeEmailForm } from './ChangeEmailForm.tsx'
import { CodeForm } from './CodeForm.tsx'
import { cancelEmailChange, changeEmail, mailEmailChangeAgain } from './mutations.ts'
import { refusalWords } from './refusal.ts'

interface EmailAddressProps {
  user: User
  /** Told the user as the shop has them now. */
  onChanged: (user: User) => Promise<void>
  /** Told when the code was right: the new address is the account's. */
  onConfirmed: () => void
}

/** The account's address, how to change it, and the state of a pending change. */
export function EmailAddress({ user, onChanged, onConfirmed }: EmailAddressProps) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    // The button comes back with the next render.
    requestAnimationFrame(() => opener.current?.focus())
  }
  const change = async (email: string, password: string) => {
    await onChanged(await changeEmail(user.uuid, email, password))
    setOpen(false)
    announce(`We’ve sent a link to ${email}.`)
  }
  return (
    <div className={styles.form}>
      <p className={styles.address}>
        <span className={styles.strong}>{user.email}</span>
        {!open && (
          <Button ref={opener} look="text" onClick={() => setOpen(true)}>
            Change email
          </Button>
        )}
      </p>
      {open && <ChangeEmailForm change={change} onCancel={close} />}
      {user.pendingEmail && !open && (
        <PendingEmail user={user} email={user.pendingEmail} onChanged={onChanged} onConfirmed={onConfirmed} />
      )}
    </div>
  )
}

function PendingEmail({ user, email, onChanged, onConfirmed }: EmailAddressProps & { email: string }) {
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState<'mail' | 'cancel'>()
  const run = async (what: 'mail' | 'cancel', work: () => Promise<unknown>, words = '') => {
    setBusy(what)
    try {
      await work()
      setSaid(words)
    } catch (problem) {
      setSaid(refusalWords(problem, MESSAGES.somethingWentWrong))
    } finally {
      setBusy(undefined)
    }
  }
  const again = () => run('mail', () => mailEmailChangeAgain(user.uuid), 'A new email is on its way.')
  const cancel = () => run('cancel', async () => onChanged(await cancelEmailChange(user.uuid)))
  return (
    <>
      <p className={styles.text}>
        We’ve sent a link to {email}. Your address changes once you open it. If it opens somewhere else, enter
        the code from the same email.
      </p>
      {/* For an address that is not confirmed yet the same form stands above already. */}
      {user.confirmed && <CodeForm onConfirmed={onConfirmed} />}
      <p className={styles.address}>
        <Button look="text" busy={busy === 'mail'} onClick={() => void again()}>
          Resend the email
        </Button>
        <Button look="text" busy={busy === 'cancel'} onClick={() => void cancel()}>
          Cancel the change
        </Button>
        <span role="status">{said}</span>
      </p>
    </>
  )
}
