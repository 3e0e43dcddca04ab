import { createFileRoute } from '@tanstack/react-router'
import { searchOf } from '#features/library/view.ts'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { LibraryScreen } from '#screens/library/LibraryScreen.tsx'

export const Route = createFileRoute('/library')({
  staticData: { frame: 'own' },
  validateSearch: searchOf,
  component: () => (
    <MembersOnly evenEnded>
      <LibraryScreen search={Route.useSearch()} />
    </MembersOnly>
  ),
})
