import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { BookCarousel } from '#features/catalogue/BookCarousel.tsx'
import { BookPrice } from '#features/catalogue/BookPrice.tsx'
import { authorsOf, coverOf, linkTo, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { featuredQuery, highlightsQuery, latestQuery } from '#features/catalogue/queries.ts'
import { FeaturedBand } from '#features/home/FeaturedBand.tsx'
import { Intro } from '#features/home/Intro.tsx'
import { PickedBook } from '#features/home/PickedBook.tsx'
import { Cover } from '#ui/Cover.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { MoreLink } from './-MoreLink.tsx'
import { Sections } from './-Sections.tsx'

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(highlightsQuery()),
      queryClient.ensureQueryData(featuredQuery()),
      queryClient.ensureQueryData(latestQuery()),
    ])
  },
  component: HomeScreen,
})

function HomeScreen() {
  const { data: highlights } = useSuspenseQuery(highlightsQuery())
  const { data: featured } = useSuspenseQuery(featuredQuery())
  const { data: latest } = useSuspenseQuery(latestQuery())
  const [pick, second] = featured['hydra:member']
  return (
    <>
      <PageHead
        title="Good books, said softly"
        description="Literary audiobooks and e-books, chosen by people who finish them. Yours to keep, wherever you listen."
        canonical="/"
      />
      <Intro
        pick={pick && <Pick book={pick} />}
        actions={
          <>
            <LinkButton to="/audiobooks" look="beak">
              Browse audiobooks
            </LinkButton>
            <LinkButton to="/ebooks" look="text">
              Browse e-books
            </LinkButton>
          </>
        }
      />
      <Sections>
        <BookCarousel title="Current highlights" books={highlights['hydra:member']} />
      </Sections>
      {second && <Featured book={second} />}
      <Sections>
        <BookCarousel
          title="New on the shelves"
          books={latest['hydra:member']}
          more={<MoreLink to="/audiobooks">View all</MoreLink>}
        />
      </Sections>
    </>
  )
}

function Pick({ book }: { book: AudioBookCard }) {
  return (
    <PickedBook
      theme={themeOf(book)}
      label="Featured this week"
      cover={
        <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 250px, 132px" hero />
      }
      title={<Link {...linkTo(book)}>{book.title}</Link>}
      by={[authorsOf(book), narratorsOf(book) && `read by ${narratorsOf(book)}`].filter(Boolean).join(', ')}
    />
  )
}

function Featured({ book }: { book: AudioBookCard }) {
  return (
    <FeaturedBand
      theme={themeOf(book)}
      cover={<Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 340px, 62vw" />}
      title={book.title}
      by={authorsOf(book)}
      price={<BookPrice book={book} />}
      action={
        <LinkButton {...linkTo(book)} tone="title">
          See the book
        </LinkButton>
      }
    />
  )
}
