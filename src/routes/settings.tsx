import { createFileRoute, Link } from '@tanstack/react-router'
import { PlayerSettings } from '#features/player/PlayerSettings.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { AppearancePanel } from '../app/AppearancePanel.tsx'
import { InstallPanel } from '../app/InstallPanel.tsx'
import { LogOutPanel } from '../app/LogOutPanel.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { MembersOnly } from './-MembersOnly.tsx'
import styles from './-SettingsScreen.module.css'

export const Route = createFileRoute('/settings')({
  component: () => (
    <MembersOnly>
      <SettingsScreen />
    </MembersOnly>
  ),
})

function SettingsScreen() {
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Settings" hidden />
      <Display as="h1" size="lg">
        Settings
      </Display>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Player
        </Display>
        <PlayerSettings />
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Appearance
        </Display>
        <AppearancePanel />
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Downloads
        </Display>
        <p>
          <Link to="/downloads" className={styles.link}>
            Manage what is on this device
          </Link>
        </p>
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          On your home screen
        </Display>
        <InstallPanel />
      </section>
      <section className={styles.section}>
        <Display as="h2" size="sm">
          Account
        </Display>
        <LogOutPanel />
      </section>
    </Wrap>
  )
}
