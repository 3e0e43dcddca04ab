import { createFileRoute } from '@tanstack/react-router'
import { loadBook } from './-load-book.ts'
import { ReadScreen } from './-ReadScreen.tsx'

export const Route = createFileRoute('/read/$slug')({
  loader: ({ context, params }) => loadBook(context, 'e_books', params.slug),
  component: () => <ReadScreen slug={Route.useParams().slug} />,
})
