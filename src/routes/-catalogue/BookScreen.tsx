import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { useBookView } from '#features/analytics/use-views.ts'
import { BookCarousel } from '#features/catalogue/BookCarousel.tsx'
import { BookDetails } from '#features/catalogue/BookDetails.tsx'
import { BookHero } from '#features/catalogue/BookHero.tsx'
import { BookSummary } from '#features/catalogue/BookSummary.tsx'
import { authorsOf, nearbyLink, pathOf, sells, themeOf, type BookKind } from '#features/catalogue/model.ts'
import { bookQuery, ownBookQuery, relatedQuery } from '#features/catalogue/queries.ts'
import { AboutBook } from '#features/editorial/AboutBook.tsx'
import { useSession } from '#session/store.ts'
import { useBand } from '#ui/band.ts'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import { NotFound } from '#app/problems/NotFound.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { bookJsonLd, bookTrail, useStructuredData } from '#app/page/structured-data.ts'
import { BookActions } from './BookActions.tsx'
import { BookExtras } from './BookExtras.tsx'
import { MoreLink } from '#routes/-layout/MoreLink.tsx'
import { Sections } from '#routes/-layout/Sections.tsx'

interface BookScreenProps {
  kind: BookKind
  slug: string
}

export function BookScreen({ kind, slug }: BookScreenProps) {
  const { data: shown } = useQuery({ ...bookQuery(kind, slug), retryOnMount: false })
  const owner = useSession((state) => state.owner?.uuid)
  const ready = useSession((state) => state.ready)
  // After the session has ended by itself the device's copy is shown: the server would answer as to a stranger.
  const asks = useSession((state) => state.status === 'user')
  const own = useQuery({ ...ownBookQuery(kind, slug, owner ?? ''), enabled: asks && owner !== undefined })
  const book = own.data ?? shown
  if (book) return <BookPage book={book} kind={kind} />
  // Visitors may not see it; its owner may (BOOK-15).
  if (ready && (!asks || own.isError || own.data === null))
    return sells(kind) ? <GoInstead to="/access-denied" /> : <NotFound />
  return <div aria-busy="true" />
}

function BookPage({ book, kind }: { book: Book; kind: BookKind }) {
  const { data: related } = useQuery(relatedQuery(kind, book.slug))
  const theme = useMemo(() => themeOf(book), [book])
  useBand(theme)
  useBookView(book)
  useStructuredData(import.meta.env.SSR && ((origin) => [bookJsonLd(book, origin), bookTrail(book, origin)]))
  return (
    <>
      <PageHead
        title={book.title}
        description={book.metaDescription ?? `${book.title} by ${authorsOf(book)}`}
        canonical={pathOf(book)}
        image={book.cover}
        type="book"
      />
      <BookHero
        book={book}
        owned={book.inLibrary}
        actions={<BookActions book={book} />}
        extras={<BookExtras book={book} />}
      />
      <Sections>
        <BookSummary summary={book.summary} />
        <BookDetails book={book} />
        <BookCarousel
          title="Shelved nearby"
          books={related?.['hydra:member'] ?? []}
          more={<MoreLink {...nearbyLink(book)}>View all</MoreLink>}
        />
        <AboutBook kind="articles" links={book.relatedArticles} />
        <AboutBook kind="interviews" links={book.relatedInterviews} />
        <AboutBook kind="discussions" links={book.relatedDiscussions} />
      </Sections>
    </>
  )
}
