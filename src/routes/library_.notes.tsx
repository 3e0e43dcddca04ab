import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { NotesScreen, type NotesSearch } from '#screens/notes/NotesScreen.tsx'

// A word that is all figures comes as a number.
const text = (value: unknown) => (value ? String(value) : undefined)

export const Route = createFileRoute('/library_/notes')({
  staticData: { frame: 'own' },
  validateSearch: ({ keyword, book }): NotesSearch => ({ keyword: text(keyword), book: text(book) }),
  component: () => (
    <MembersOnly evenEnded>
      <NotesScreen {...Route.useSearch()} />
    </MembersOnly>
  ),
})
