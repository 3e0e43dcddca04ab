import { createFileRoute, Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { DeviceList } from '#features/account/DeviceList.tsx'
import { PasskeyList } from '#features/account/PasskeyList.tsx'
import { PlayerSettings } from '#features/player/PlayerSettings.tsx'
import { SavedCards } from '#features/account/SavedCards.tsx'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useIsLate, useNow } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import type { User } from '#contract/account.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { CodeForm } from '#features/account/ConfirmForms.tsx'
import { EmailAddress } from '#features/account/EmailAddress.tsx'
import { ProfileForm, toWire } from '#features/account/ProfileForm.tsx'
import {
  mailConfirmationAgain,
  saveProfile,
  showListening,
  switchChoiceEmails,
  switchPromotions,
} from '#features/account/mutations.ts'
import { switchNewsletter } from '#features/newsletter/mutations.ts'
import { has, shop } from '#features/shop-details/shop.ts'
import { reloadUser, userChanged } from '#session/session.ts'
import { Button } from '#ui/Button.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { toast } from '#ui/toast.ts'
import { refusalMessage, useWrite } from '#writes/use-write.ts'
import styles from './-account/account.module.css'
import { AppearancePanel, InstallPanel, LogOutPanel, RecentNotices } from './-account/DevicePanels.tsx'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { OwnDataPanel } from './-account/OwnDataPanel.tsx'

export const Route = createFileRoute('/settings')({
  staticData: { frame: 'own' },
  validateSearch: ({ confirmed }): { confirmed?: '1' | undefined } => ({
    confirmed: confirmed === '1' ? confirmed : undefined,
  }),
  component: () => (
    <MembersOnly>
      <SettingsScreen confirmed={Route.useSearch().confirmed} />
    </MembersOnly>
  ),
})

/** Device settings wait this long for the account's, which are above and would push them down. */
const TOGETHER_WITHIN_MS = 2_000

interface SettingsScreenProps {
  /** From the link that confirmed the address. */
  confirmed?: '1' | undefined
}

function SettingsScreen({ confirmed }: SettingsScreenProps) {
  const user = useSession((state) => state.user)
  const now = useNow()
  const offline = !useOnline()
  const isComing = useSession(({ ready, status, user: known }) => !known && (!ready || status === 'user'))
  const isLate = useIsLate(TOGETHER_WITHIN_MS)
  return (
    <Wrap className={styles.settings}>
      <PageHead title="Settings" hidden />
      <Display as="h1" size="lg">
        Settings
      </Display>
      {confirmed && (
        <p className={styles.said} role="status">
          Thank you. Your address is confirmed.
        </p>
      )}
      {!isComing || offline || isLate ? (
        <>
          {user && offline && (
            <p className={styles.said} role="status">
              You’re offline, so your account can’t be saved now. What’s on this device can.
            </p>
          )}
          {/* A different account starts with fresh forms. */}
          {user && <AccountSettings key={user.uuid} user={user} />}
          {user && <DeviceList ownerUuid={user.uuid} now={new Date(now)} />}
          {user && (
            <Section title="Passkeys">
              <PasskeyList ownerUuid={user.uuid} />
            </Section>
          )}
          {user && (
            <Section title="Saved cards">
              <SavedCards ownerUuid={user.uuid} />
            </Section>
          )}
          {!user && offline && (
            <Section title="Profile">
              <p>Your profile needs a connection. Everything below is on this device.</p>
            </Section>
          )}
          <Section title="Player">
            <PlayerSettings />
          </Section>
          <Section title="Appearance">
            <AppearancePanel />
          </Section>
          <Section title="Downloads">
            <p>
              <Link to="/downloads" className="text-link">
                Manage what’s on this device
              </Link>
            </p>
          </Section>
          <Section title="On your home screen">
            <InstallPanel />
          </Section>
          <Section title="Recent notices">
            <RecentNotices />
          </Section>
          <Section title="Account">
            <LogOutPanel />
            {user && <OwnDataPanel user={user} />}
          </Section>
        </>
      ) : (
        <div aria-busy="true">
          <Skeleton height="560px" />
        </div>
      )}
    </Wrap>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <Display as="h2" size="sm">
      {title}
    </Display>
    {children}
  </section>
)

const dayAndTime = (at: Date): string =>
  at.toLocaleString('en-GB', { weekday: 'long', hour: '2-digit', minute: '2-digit' })

const reload = () => void reloadUser().catch(() => undefined)

function AccountSettings({ user }: { user: User }) {
  const now = useNow()
  const isShown = Date.parse(user.listeningShownUntil ?? '') > now
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
        <AccountSwitch
          label="Newsletter"
          note={`New titles and what we are reading, ${shop().newsletter.often}.`}
          on={user.newsletter}
          turn={(on) => switchNewsletter(user.uuid, on)}
        />
        <AccountSwitch
          label="Promotions"
          note="Offers and discount codes."
          on={user.promotions}
          turn={(on) => switchPromotions(user.uuid, on)}
        />
        {has('membership') && (
          <AccountSwitch
            label="Free audiobooks"
            note="For members: covers to choose from once a month, and a reminder a week before one expires."
            on={user.choiceEmails}
            turn={(on) => switchChoiceEmails(user.uuid, on)}
          />
        )}
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Privacy
        </Display>
        <AccountSwitch
          label={`Let ${shop().name}’s support see what I listened to, for one day`}
          note={
            isShown
              ? `Until ${dayAndTime(new Date(user.listeningShownUntil!))}. You can switch it off before.`
              : 'For when you’ve asked us for help. It ends on its own.'
          }
          on={isShown}
          turn={(on) => showListening(user.uuid, on)}
        />
      </section>
    </>
  )
}

interface AccountSwitchProps {
  label: string
  note: string
  on: boolean
  turn: (on: boolean) => Promise<User>
}

/** Switches at once, and back if saving fails (ACC-30). */
function AccountSwitch({ label, note, on, turn }: AccountSwitchProps) {
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
