import {
  useInfiniteQuery,
  useSuspenseQuery,
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
} from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { personJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { BookCard } from '#contract/catalogue.ts'
import type { PersonPage } from '#contract/people.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import layout from '#routes/-layout/layout.module.css'
import { LoadMore } from '#routes/-layout/LoadMore.tsx'
import { PageTop } from '#routes/-layout/PageTop.tsx'
import { TEN_MINUTES_MS, nextPage, nullIfMissing } from '#features/query-options.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { BookKind } from '#features/catalogue/model.ts'
import { call } from '#net/call.ts'

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
      {parts.length === 0 && <p className={layout.part}>Nothing of theirs is in the shop just now.</p>}
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
    <section className={layout.part} aria-labelledby={id}>
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

/** Null if there is no such person. */
const personQuery = (slug: string) =>
  queryOptions({
    queryKey: ['people', slug],
    queryFn: ({ signal }): Promise<PersonPage | null> =>
      call('GET /api/people/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** The books that a person wrote in one format, or narrated. */
interface PartOf {
  readonly as: 'authors' | 'narrators'
  readonly kind: BookKind
}

/** The lists of a person's page that aren't empty, in order. */
const partsOf = (person: PersonPage): PartOf[] => [
  ...(person.writtenAudioBooks > 0 ? [{ as: 'authors', kind: 'audio_books' } as const] : []),
  ...(person.writtenEBooks > 0 ? [{ as: 'authors', kind: 'e_books' } as const] : []),
  ...(person.readAudioBooks > 0 ? [{ as: 'narrators', kind: 'audio_books' } as const] : []),
]

const booksOfQuery = (personId: number, { as, kind }: PartOf) =>
  infiniteQueryOptions({
    queryKey: [kind, 'of', as, personId],
    queryFn: ({ pageParam, signal }) =>
      call(`GET /api/${kind}`, {
        query: { [`${as}[]`]: [personId], page: pageParam, itemsPerPage: PAGE_SIZE.collection },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: TEN_MINUTES_MS,
  })

/** Loads what the first render needs; false if there is no such person. */
async function loadPerson(queryClient: QueryClient, slug: string): Promise<boolean> {
  const person = await queryClient.ensureQueryData(personQuery(slug))
  if (!person) return false
  await Promise.all(
    partsOf(person).map((part) => queryClient.prefetchInfiniteQuery(booksOfQuery(person.id, part))),
  )
  return true
}
