import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { personJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { BookCard } from '#contract/catalogue.ts'
import type { PersonPage } from '#contract/people.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { booksOfQuery, loadPerson, type PartOf, partsOf, personQuery } from '#features/people/queries.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import layout from '#routes/-layout/layout.module.css'
import { LoadMore } from '#routes/-layout/LoadMore.tsx'
import { PageTop } from '#routes/-layout/PageTop.tsx'
import styles from '#routes/-people/people.module.css'

export const Route = createFileRoute('/people/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if (!(await loadPerson(queryClient, slug))) throw notFound()
  },
  component: () => <PersonScreen slug={Route.useParams().slug} />,
})

/** A person's books, written and narrated. */
function PersonScreen({ slug }: { slug: string }) {
  const { data: person } = useSuspenseQuery(personQuery(slug))
  useStructuredData(import.meta.env.SSR && ((origin) => (person ? [personJsonLd(person, origin)] : [])))
  if (!person) return null
  const what = whatOf(person)
  const parts = partsOf(person)
  return (
    <Wrap className={layout.page}>
      <PageHead
        title={person.fullName}
        description={what && `${person.fullName}: ${what}.`}
        canonical={`/people/${person.slug}`}
      />
      <PageTop title={person.fullName}>
        <p className="quiet">{[what, person.nationality].filter(Boolean).join(' · ')}</p>
      </PageTop>
      {parts.length === 0 && <p className={styles.part}>Nothing of theirs is in the shop just now.</p>}
      {parts.map((part) => (
        <Part key={`${part.as} ${part.kind}`} person={person} part={part} />
      ))}
    </Wrap>
  )
}

/** "2 audiobooks, 1 e-book, 4 audiobooks read". */
const whatOf = ({ writtenAudioBooks, writtenEBooks, readAudioBooks }: PersonPage): string =>
  [
    writtenAudioBooks > 0 && plural(writtenAudioBooks, 'audiobook'),
    writtenEBooks > 0 && plural(writtenEBooks, 'e-book'),
    readAudioBooks > 0 && `${plural(readAudioBooks, 'audiobook')} read`,
  ]
    .filter(Boolean)
    .join(', ')

function Part({ person, part }: { person: PersonPage; part: PartOf }) {
  const query = useInfiniteQuery(booksOfQuery(person.id, part))
  const id = `${part.as}-${part.kind}`
  const books = query.data?.pages.flatMap((page): BookCard[] => page['hydra:member']) ?? []
  return (
    <section className={styles.part} aria-labelledby={id}>
      <Display as="h2" size="md" id={id}>
        {part.as === 'narrators'
          ? `Read by ${person.fullName}`
          : part.kind === 'e_books'
            ? 'E-books'
            : 'Audiobooks'}
      </Display>
      <BookGrid books={books} />
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={() => void query.fetchNextPage()}
      />
    </section>
  )
}
