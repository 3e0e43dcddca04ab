import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { DownloadsScreen } from '#screens/downloads/DownloadsScreen.tsx'

export const Route = createFileRoute('/downloads')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly evenEnded>
      <DownloadsScreen />
    </MembersOnly>
  ),
})
