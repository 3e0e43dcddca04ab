import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { DownloadsPanel } from '#features/downloads/DownloadsPanel.tsx'
import { Receipt } from '#features/listening/SavedNotes.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useNow } from '#ui/use-now.ts'
import styles from './-account/account.module.css'

export const Route = createFileRoute('/downloads')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly evenEnded>
      <DownloadsScreen />
    </MembersOnly>
  ),
})

function DownloadsScreen() {
  return (
    <Wrap className={styles.settings}>
      <PageHead title="Downloads" hidden />
      <Display as="h1" size="lg">
        Downloads
      </Display>
      <Receipt nowMs={useNow()} />
      <DownloadsPanel />
    </Wrap>
  )
}
