import { createFileRoute } from '@tanstack/react-router'
import { LibraryScreen } from './-LibraryScreen.tsx'
import { MembersOnly } from './-MembersOnly.tsx'

export const Route = createFileRoute('/library')({
  component: () => (
    <MembersOnly evenEnded>
      <LibraryScreen />
    </MembersOnly>
  ),
})
