import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { bookJsonLd, bookTrail, useStructuredData } from '#app/page/structured-data.ts'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import { NotFound } from '#app/problems/NotFound.tsx'
import type { Book, BookCard } from '#contract/catalogue.ts'
import { useBookView } from '#features/analytics/use-views.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { BookDetails, BookSummary, BookHero } from '#features/catalogue/BookHero.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { authorsOf, type BookKind, pathOf, sells, styleLink, themeOf } from '#features/catalogue/model.ts'
import { bookQuery, ownBookQuery, relatedQuery } from '#features/catalogue/queries.ts'
import { AboutBook, AboutOwnBook } from '#features/editorial/ItemCard.tsx'
import { has } from '#features/shop-details/shop.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { useBand } from '#ui/Band.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { MoreLink, Sections } from '#routes/-layout/PageTop.tsx'
import { BookActions } from './BookActions.tsx'
import styles from './catalogue.module.css'
import { OwnedChapters, OwnedDetails } from './OwnedBook.tsx'
import { shareBook } from './share-book.ts'

interface BookScreenProps {
  kind: BookKind
  slug: string
}

export function BookScreen({ kind, slug }: BookScreenProps) {
  const { data: shown } = useQuery({ ...bookQuery(kind, slug), retryOnMount: false })
  const owner = useSession((state) => state.owner?.uuid)
  const ready = useSession((state) => state.ready)
  // With an expired session the device's copy is shown: the server would answer as to a visitor.
  const asks = useSession((state) => state.status === 'user')
  const own = useQuery({ ...ownBookQuery(kind, slug, owner ?? ''), enabled: asks && owner !== undefined })
  const key = titleKey(kind === 'audio_books' ? 'audio' : 'ebook', slug)
  const isOwned = useOwnedTitles(({ owned }) => owned.has(key))
  // The device knows its owner before the server has answered, and without a network.
  const known = useMemo(
    () => (shown && isOwned ? { ...shown, inLibrary: true, moveToLibrary: false } : shown),
    [shown, isOwned],
  )
  const book = own.data ?? known
  if (book) return <BookPage book={book} kind={kind} isComplete={own.data != null || !isOwned} />
  // Hidden from visitors, but not from its owner (BOOK-15).
  if (ready && (!asks || own.isError || own.data === null))
    return sells(kind) ? <GoInstead to="/access-denied" /> : <NotFound />
  return <div aria-busy="true" />
}

interface BookPageProps {
  book: Book
  kind: BookKind
  isComplete: boolean
}

function BookPage({ book, kind, isComplete }: BookPageProps) {
  const { data: related } = useQuery(relatedQuery(kind, book.slug))
  const theme = useMemo(() => themeOf(book), [book])
  useBand(theme)
  useBookView(book)
  useLayoutEffect(() => {
    // Set by index.html, which hides the visitor's page.
    if (book.inLibrary) delete document.documentElement.dataset.owned
  }, [book.inLibrary])
  const inStep = book.inStep && (
    <Suspense>
      <InStepOffer book={book} />
    </Suspense>
  )
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
        actions={<BookActions book={book} isComplete={isComplete} />}
        extras={<BookExtras book={book} />}
      />
      <Sections className={book.inLibrary ? undefined : styles.forVisitors}>
        {book.inLibrary ? (
          <>
            <div className={styles.ownedPage} data-upright={book.entityType === 'eBook' ? '' : undefined}>
              <BookSummary summary={book.summary} alone />
              {book.entityType === 'audioBook' && <OwnedChapters book={book} />}
              <OwnedDetails book={book} />
            </div>
            {inStep}
          </>
        ) : (
          <>
            {inStep}
            <BookSummary summary={book.summary} />
            <BookDetails book={book} />
          </>
        )}
        <BookCarousel
          title="Shelved nearby"
          books={related?.['hydra:member'] ?? []}
          more={<MoreLink {...nearbyLink(book)}>View all</MoreLink>}
        />
        {book.inLibrary ? (
          <AboutOwnBook book={book} />
        ) : (
          <>
            <AboutBook kind="articles" links={book.relatedArticles} />
            <AboutBook kind="interviews" links={book.relatedInterviews} />
            <AboutBook kind="discussions" links={book.relatedDiscussions} />
          </>
        )}
      </Sections>
    </>
  )
}

const InStepOffer = lazyPart(() => import('./InStepOffer.tsx'), 'InStepOffer')
const SampleText = lazyPart(() => import('./BookDialogs.tsx'), 'SampleText')

function BookExtras({ book }: { book: Book }) {
  return (
    <>
      <BackButton />
      {!book.inLibrary && <MoreOfBook book={book} />}
    </>
  )
}

/** For a book on sale. Its owner finds the rest in the menu beside "Play". */
function MoreOfBook({ book }: { book: Book }) {
  const [reading, setReading] = useState(false)
  const signedIn = useSession((state) => state.status === 'user')
  const offline = !useOnline()
  return (
    <>
      {offline && !book.sample && !book.sampleText && book.chapters.length === 0 && (
        <p role="note" style={{ flexBasis: '100%' }}>
          The sample and chapters need a connection.
        </p>
      )}
      {book.sampleText && (
        <Button look="text" tone="title" aria-haspopup="dialog" onClick={() => setReading(true)}>
          Read a sample
        </Button>
      )}
      {signedIn && book.edition && has('editions') && (
        <LinkButton look="text" tone="title" to={book.entityType === 'audioBook' ? '/editions' : '/ebooks'}>
          One of our editions
        </LinkButton>
      )}
      <Button look="text" tone="title" onClick={() => void shareBook(book)}>
        Share
      </Button>
      {book.sampleText && reading && (
        <Suspense>
          <SampleText book={book} text={book.sampleText} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Only if the link asked for it (BOOK-14), and not in the server's markup, which has no history. */
function BackButton() {
  const router = useRouter()
  const asked = useRouterState({ select: ({ location }) => location.state.withBack === true })
  const hydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
  if (!asked || !hydrated) return null
  return (
    <Button look="text" tone="title" onClick={() => router.history.back()}>
      <Icon of={ArrowLeftIcon} size={18} />
      Back
    </Button>
  )
}

/** For "View all" next to similar books; all of the format for a book without a style (BOOK-12). */
export const nearbyLink = (book: Pick<BookCard, 'entityType' | 'style'>) =>
  book.style
    ? styleLink(book, book.style.id)
    : { to: book.entityType === 'audioBook' ? ('/audiobooks' as const) : ('/ebooks' as const) }
