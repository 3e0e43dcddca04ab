import { createFileRoute, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { DeviceList } from '#features/account/DeviceList.tsx'
import { PlayerSettings } from '#features/player/PlayerSettings.tsx'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useIsLate, useNow } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-account/account.module.css'
import { AccountSettings } from './-account/AccountSettings.tsx'
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
