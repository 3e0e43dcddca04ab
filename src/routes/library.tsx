import { createFileRoute } from '@tanstack/react-router'
import type { LibrarySearch } from '#features/library/view.ts'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { LibraryScreen } from './-library/LibraryScreen.tsx'

export const Route = createFileRoute('/library')({
  staticData: { frame: 'own', heading: 'Library' },
  // Judged by the screen, which is not in the first view.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  validateSearch: (search) => search as LibrarySearch,
  component: () => (
    <MembersOnly evenEnded>
      <LibraryScreen search={Route.useSearch()} />
    </MembersOnly>
  ),
})
