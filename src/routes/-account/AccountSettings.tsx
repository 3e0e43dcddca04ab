import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#contract/account.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { CodeForm } from '#features/account/ConfirmForms.tsx'
import { EmailAddress } from '#features/account/EmailAddress.tsx'
import { ProfileForm, toWire } from '#features/account/ProfileForm.tsx'
import { mailConfirmationAgain, saveProfile, switchPromotions } from '#features/account/mutations.ts'
import { switchNewsletter } from '#features/newsletter/mutations.ts'
import { shop } from '#features/shop-details/shop.ts'
import { reloadUser, userChanged } from '#session/session.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { toast } from '#ui/toast.ts'
import { refusalMessage, useWrite } from '#writes/use-write.ts'
import styles from './account.module.css'

const reload = () => void reloadUser().catch(() => undefined)

export function AccountSettings({ user }: { user: User }) {
  return (
    <>
      {!user.confirmed && <Unconfirmed user={user} />}
      <section className={styles.wide}>
        <Display as="h2" size="sm">
          Profile
        </Display>
        <EmailAddress user={user} onChanged={userChanged} onConfirmed={reload} />
        <ProfileForm
          user={user}
          save={async (profile) => {
            const saved = await saveProfile(user.uuid, toWire(profile))
            await userChanged(saved)
            return saved
          }}
        />
        <p>
          <Link to="/change-password" className="text-link">
            Change your password
          </Link>
        </p>
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Emails from us
        </Display>
        <MailSwitch
          label="Newsletter"
          note={`New titles and what we are reading, ${shop().newsletter.often}.`}
          on={user.newsletter}
          turn={(on) => switchNewsletter(user.uuid, on)}
        />
        <MailSwitch
          label="Promotions"
          note="Offers and discount codes."
          on={user.promotions}
          turn={(on) => switchPromotions(user.uuid, on)}
        />
      </section>
    </>
  )
}

interface MailSwitchProps {
  label: string
  note: string
  on: boolean
  turn: (on: boolean) => Promise<User>
}

/** Switches at once, and back if saving fails (ACC-30). */
function MailSwitch({ label, note, on, turn }: MailSwitchProps) {
  const [wanted, setWanted] = useState<boolean>()
  const { write } = useWrite(turn, {
    onSuccess: userChanged,
    onFailure: () => toast(ACCOUNT_MESSAGES.saveFailed),
  })
  const change = async (next: boolean) => {
    setWanted(next)
    await write(next)
    setWanted(undefined)
  }
  return (
    <Switch
      label={label}
      note={note}
      checked={wanted ?? on}
      // Ignore a second press until the first is answered.
      onChange={(event) => wanted === undefined && void change(event.target.checked)}
    />
  )
}

function Unconfirmed({ user }: { user: User }) {
  const [message, setMessage] = useState('')
  const resend = useWrite(mailConfirmationAgain, {
    onSuccess: () => setMessage('A new email is on its way.'),
    onFailure: (problem) => setMessage(refusalMessage(problem)),
  })
  return (
    <section className={styles.section}>
      <Display as="h2" size="sm">
        Confirm your email
      </Display>
      <p>
        We have sent a verification link to <strong>{user.email}</strong>. If it opens somewhere else, enter
        the code from the same email.
      </p>
      <CodeForm onConfirmed={reload} />
      <p className="row gap-3">
        <Button look="text" busy={resend.busy} onClick={() => void resend.write()}>
          Resend the email
        </Button>
        <span role="status">{message}</span>
      </p>
    </section>
  )
}
