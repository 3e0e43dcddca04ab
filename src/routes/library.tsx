import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { LibraryScreen } from '#screens/library/LibraryScreen.tsx'

export const Route = createFileRoute('/library')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly evenEnded>
      <LibraryScreen />
    </MembersOnly>
  ),
})
