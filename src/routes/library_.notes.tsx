import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { NotesScreen, type NotesSearch } from '#screens/notes/NotesScreen.tsx'

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const Route = createFileRoute('/library_/notes')({
  staticData: { frame: 'own' },
  // A word that is all figures comes as a number.
  validateSearch: ({ keyword, book }): NotesSearch => ({
    keyword: text(typeof keyword === 'number' ? String(keyword) : keyword),
    book: text(book),
  }),
  component: () => (
    <MembersOnly evenEnded>
      <NotesScreen {...Route.useSearch()} />
    </MembersOnly>
  ),
})
