import { createFileRoute } from '@tanstack/react-router'
import { BookScreen } from './-catalogue/BookScreen.tsx'
import { loadBook } from '#features/catalogue/load-book.ts'

export const Route = createFileRoute('/audiobooks/$slug')({
  loader: ({ context, params }) => loadBook(context, 'audio_books', params.slug),
  component: () => <BookScreen kind="audio_books" slug={Route.useParams().slug} />,
})
