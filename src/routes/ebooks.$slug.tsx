import { createFileRoute } from '@tanstack/react-router'
import { BookScreen } from './-catalogue/BookScreen.tsx'
import { loadBook } from '#features/catalogue/load-book.ts'

export const Route = createFileRoute('/ebooks/$slug')({
  loader: ({ context, params }) => loadBook(context, 'e_books', params.slug),
  component: () => <BookScreen kind="e_books" slug={Route.useParams().slug} />,
})
