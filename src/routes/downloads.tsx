import { createFileRoute } from '@tanstack/react-router'
import { DownloadsPanel } from '#features/downloads/DownloadsPanel.tsx'
import { Receipt } from '#features/listening/Receipt.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { useNow } from '../app/use-now.ts'
import { MembersOnly } from './-MembersOnly.tsx'
import styles from './-SettingsScreen.module.css'

export const Route = createFileRoute('/downloads')({
  component: () => (
    <MembersOnly evenEnded>
      <Wrap className={styles.screen}>
        <PageHead title="Downloads" hidden />
        <Display as="h1" size="lg">
          Downloads
        </Display>
        <Receipt nowMs={useNow()} />
        <DownloadsPanel />
      </Wrap>
    </MembersOnly>
  ),
})
