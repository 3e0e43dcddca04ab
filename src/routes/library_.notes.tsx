import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { NotesScreen, type NotesSearch } from './-notes/NotesScreen.tsx'

// A word that is all figures comes as a number.
const text = (value: unknown) =>
  typeof value === 'string' ? value || undefined : typeof value === 'number' ? String(value) : undefined

export const Route = createFileRoute('/library_/notes')({
  staticData: { frame: 'own' },
  // Made good where it is drawn: this line is in the first page.
  validateSearch: (search: NotesSearch) => search,
  component: () => {
    const { keyword, book } = Route.useSearch()
    return (
      <MembersOnly evenEnded>
        <NotesScreen keyword={text(keyword)} book={text(book)} />
      </MembersOnly>
    )
  },
})
