import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { MESSAGES } from '#contract/messages.ts'
import { BookGrid } from '#features/catalogue/BookGrid.tsx'
import { searchOf, type BookFilter, type BookKind } from '#features/catalogue/model.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { booksQuery } from '#features/catalogue/queries.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-ListingScreen.module.css'

const WORDS = {
  audio_books: {
    title: 'Audiobooks',
    path: '/audiobooks',
    description:
      'Every audiobook on our shelves, newest first. Listen to a sample of each before you choose.',
  },
  e_books: {
    title: 'E-books',
    path: '/ebooks',
    description: 'Every e-book on our shelves, newest first, yours to keep and to read anywhere.',
  },
} as const

interface ListingScreenProps {
  kind: BookKind
  filter: BookFilter
}

export function ListingScreen({ kind, filter }: ListingScreenProps) {
  // The page before stays, dimmed, while the next one is on its way.
  const { data, isPlaceholderData } = useQuery({
    ...booksQuery(kind, filter),
    placeholderData: keepPreviousData,
  })
  const { title, path, description } = WORDS[kind]
  const total = data?.['hydra:totalItems'] ?? 0
  const books = data?.['hydra:member'] ?? []
  return (
    <Wrap className={styles.listing}>
      <PageHead title={title} description={description} canonical={canonicalOf(path, filter)} />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {title}
        </Display>
        <p role="status">{plural(total, 'title')}</p>
      </div>
      {data && books.length === 0 ? (
        <Empty
          title={MESSAGES.noResultsListing}
          action={
            <LinkButton to={path} look="solid">
              See all {title.toLowerCase()}
            </LinkButton>
          }
        />
      ) : (
        <BookGrid books={books} waiting={isPlaceholderData} />
      )}
      <Pagination
        page={filter.page}
        last={Math.ceil(total / filter.itemsPerPage)}
        to={path}
        searchFor={(page) => searchOf({ ...filter, page })}
      />
    </Wrap>
  )
}

function canonicalOf(path: string, filter: BookFilter): string {
  const search = new URLSearchParams(searchOf(filter)).toString()
  return search ? `${path}?${search}` : path
}
