import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { DownloadsScreen } from './-downloads/DownloadsScreen.tsx'

export const Route = createFileRoute('/downloads')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly evenEnded>
      <DownloadsScreen />
    </MembersOnly>
  ),
})
