import { createFileRoute } from '@tanstack/react-router'
import { loadBook } from '#features/catalogue/load-book.ts'
import { ReadFailed, ReadScreen } from './-reading/ReadScreen.tsx'

export const Route = createFileRoute('/read/$slug')({
  staticData: { frame: 'whole' },
  // A highlight that is gone to.
  validateSearch: (search: { at?: string | undefined }) => search,
  loader: ({ context, params }) => loadBook(context, 'e_books', params.slug),
  errorComponent: ReadFailed,
  component: () => <ReadScreen slug={Route.useParams().slug} at={Route.useSearch().at} />,
})
