import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { personJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { PersonPage } from '#contract/people.ts'
import { BookRows } from '#features/catalogue/BookCards.tsx'
import { type BookKind, themeOf } from '#features/catalogue/model.ts'
import { OwnedBar, SampleBar } from '#features/catalogue/SampleBar.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { itemIn } from '#features/editorial/model.ts'
import { quickQuery } from '#features/search/queries.ts'
import { nextPage, nullIfMissing, TEN_MINUTES_MS } from '#features/query-options.ts'
import { call } from '#net/call.ts'
import { plural } from '#format/plural.ts'
import { titleKey } from '#storage/title-key.ts'
import { Display } from '#ui/Display.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { LoadMore } from '#routes/-layout/LoadMore.tsx'
import { FoundItems } from '#routes/-search/SearchResults.tsx'
import { Portrait } from '#routes/-people/Portrait.tsx'
import styles from '#routes/-people/people.module.css'

export const Route = createFileRoute('/people/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if (!(await loadPerson(queryClient, slug))) throw notFound()
  },
  component: () => <PersonScreen slug={Route.useParams().slug} />,
})

/** Who it is, how they sound, and their books, written and narrated. */
function PersonScreen({ slug }: { slug: string }) {
  const { data: person } = useSuspenseQuery(personQuery(slug))
  useStructuredData(import.meta.env.SSR && ((origin) => (person ? [personJsonLd(person, origin)] : [])))
  return person && <PageOf person={person} />
}

function PageOf({ person }: { person: PersonPage }) {
  const parts = partsOf(person)
  const eBooks = useWritten(person.id, 'e_books', person.writtenEBooks)
  const audioBooks = useWritten(person.id, 'audio_books', person.writtenAudioBooks)
  const about = person.about ?? ''
  return (
    <Wrap className={styles.person}>
      <PageHead
        title={person.fullName}
        description={about || factsOf(person)}
        canonical={`/people/${person.slug}`}
      />
      {parts[0] ? (
        <KnownByBooks
          person={person}
          part={parts.find(({ as }) => as === 'narrators') ?? parts[0]}
          about={about}
        />
      ) : (
        <Who person={person} books={[]} about="Nothing of theirs is in the shop just now." />
      )}
      <div className={styles.parts}>
        {parts.map((part) => (
          <Part
            key={`${part.as} ${part.kind}`}
            person={person}
            part={part}
            others={part.kind === 'e_books' ? audioBooks : eBooks}
          />
        ))}
        <InTheJournal name={person.fullName} />
      </div>
    </Wrap>
  )
}

interface WhoProps {
  person: PersonPage
  about: string
  /** Those they narrated, or else wrote. */
  books: readonly BookCard[]
}

/** A narrator is shown by what they narrated. */
function KnownByBooks({ part, ...rest }: Omit<WhoProps, 'books'> & { part: PartOf }) {
  const books = useInfiniteQuery(booksOfQuery(rest.person.id, part)).data?.pages[0]?.['hydra:member'] ?? []
  return <Who {...rest} books={books} />
}

function Who({ person, about, books }: WhoProps) {
  const narrates = person.readAudioBooks > 0
  const owned = useOwnedTitles((titles) => titles.owned)
  const isOwned = ({ slug }: BookCard) => owned.has(titleKey('audio', slug))
  const sampled = books.filter(({ sample }) => sample)
  // The voice is the narrator's in any book; an author's page sells another one first.
  const heard = (narrates ? undefined : sampled.find((book) => !isOwned(book))) ?? sampled[0]
  const shown = sampled[0] ?? books[0]
  const theme = shown ? themeOf(shown) : HOUSE
  return (
    <section className={styles.who} aria-labelledby="person">
      <Portrait slug={person.slug} theme={theme} narrates={narrates} />
      <div>
        <p className={styles.role}>
          {person.nationality ? `${person.nationality} ${roleOf(person).toLowerCase()}` : roleOf(person)}
        </p>
        <Display as="h1" size="lg" id="person">
          {person.fullName}
        </Display>
      </div>
      {about && <p className={styles.about}>{about}</p>}
      {heard &&
        (!narrates && isOwned(heard) ? (
          <OwnedBar book={heard} className={styles.voice} />
        ) : (
          <SampleBar
            book={heard}
            words={narrates ? `Hear ${possessive(person.firstName || person.lastName)} voice` : 'Hear a page'}
            className={styles.voice}
          />
        ))}
    </section>
  )
}

const roleOf = ({ writtenAudioBooks, writtenEBooks, readAudioBooks }: PersonPage): string =>
  [writtenAudioBooks + writtenEBooks > 0 && 'Author', readAudioBooks > 0 && 'Narrator']
    .filter(Boolean)
    .join(' and ')
    .replace(' and N', ' and n')

const possessive = (name: string) => (name.endsWith('s') ? `${name}’` : `${name}’s`)

/** The description for search engines: "We have 2 audiobooks and 1 e-book by Edda Marlow, who has read 4 audiobooks." */
function factsOf({ fullName, writtenAudioBooks, writtenEBooks, readAudioBooks }: PersonPage): string {
  const wrote = [
    writtenAudioBooks > 0 && plural(writtenAudioBooks, 'audiobook'),
    writtenEBooks > 0 && plural(writtenEBooks, 'e-book'),
  ].filter(Boolean)
  const read = plural(readAudioBooks, 'audiobook')
  if (wrote.length === 0) return readAudioBooks > 0 ? `${fullName} has read ${read} in this shop.` : ''
  const written = `We have ${wrote.join(' and ')} by ${fullName}`
  return readAudioBooks > 0 ? `${written}, who has also read ${read} for us.` : `${written}.`
}

interface PartProps {
  person: PersonPage
  part: PartOf
  /** The titles that this person wrote, of the other format. */
  others: ReadonlyMap<string, BookCard>
}

function Part({ person, part, others }: PartProps) {
  const query = useInfiniteQuery(booksOfQuery(person.id, part))
  const id = `${part.as}-${part.kind}`
  const found = query.data?.pages.flatMap((page): BookCard[] => page['hydra:member']) ?? []
  const isOfEBooks = part.kind === 'e_books'
  // The row of the audiobook names its e-book.
  const books = isOfEBooks ? found.filter(({ slug }) => !others.has(slug)) : found
  if (isOfEBooks && books.length === 0 && !query.hasNextPage) return null
  return (
    <section aria-labelledby={id}>
      <Display as="h2" size="md" id={id}>
        {part.as === 'narrators'
          ? `Read by ${person.firstName || person.lastName}`
          : isOfEBooks
            ? 'E-books'
            : 'Audiobooks'}
      </Display>
      <BookRows
        books={books}
        wide
        ofAuthor={part.as === 'authors'}
        {...(part.as === 'authors' && !isOfEBooks && { eBooks: others })}
      />
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={() => void query.fetchNextPage()}
      />
    </section>
  )
}

/** The titles in one format that a person wrote and that are loaded, by slug: both formats of a title have one slug. */
function useWritten(personId: number, kind: BookKind, count: number): ReadonlyMap<string, BookCard> {
  const { data } = useInfiniteQuery({
    ...booksOfQuery(personId, { as: 'authors', kind }),
    enabled: count > 0,
  })
  return useMemo(
    () =>
      new Map(
        (data?.pages ?? [])
          .flatMap((page): BookCard[] => page['hydra:member'])
          .map((book) => [book.slug, book]),
      ),
    [data],
  )
}

/** Pieces of the journal that name them. */
function InTheJournal({ name }: { name: string }) {
  const { data } = useQuery(quickQuery(name))
  const items = data?.didYouMean ? [] : (data?.articles ?? []).flatMap((one) => itemIn(one) ?? [])
  if (items.length === 0) return null
  return (
    <section aria-labelledby="journal" className={styles.journal}>
      <Display as="h2" size="md" id="journal">
        In the Journal
      </Display>
      <FoundItems items={items} keyword="" />
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
