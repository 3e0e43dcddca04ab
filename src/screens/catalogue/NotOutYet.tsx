import type { BookKind } from '#features/catalogue/model.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { PageHead } from '#app/page/PageHead.tsx'

const BACK = {
  audio_books: { to: '/audiobooks', label: 'Browse audiobooks' },
  e_books: { to: '/ebooks', label: 'Browse e-books' },
} as const

/** In place of a book that is held back, for somebody who is logged in and doesn't own it (BOOK-15). */
export const NotOutYet = ({ kind }: { kind: BookKind }) => (
  <>
    <PageHead title="Not out yet" />
    <Empty
      level="h1"
      title="This book isn’t out yet"
      help="Come back soon. There’s plenty to read and hear until then."
      action={
        <LinkButton to={BACK[kind].to} look="solid">
          {BACK[kind].label}
        </LinkButton>
      }
    />
  </>
)
