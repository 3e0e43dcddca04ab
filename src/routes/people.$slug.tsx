import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { personJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { PersonPage } from '#contract/people.ts'
import { BookRows } from '#features/catalogue/BookCards.tsx'
import { type BookKind, themeOf } from '#features/catalogue/model.ts'
import { nextPage, nullIfMissing, TEN_MINUTES_MS } from '#features/query-options.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { clock, spokenClock } from '#format/clock.ts'
import { call } from '#net/call.ts'
import { plural } from '#format/plural.ts'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { HOUSE, contrastOf, type TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { LoadMore } from '#routes/-layout/LoadMore.tsx'
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
  if (!person) return null
  const parts = partsOf(person)
  const about = person.about ?? factsOf(person)
  return (
    <Wrap className={styles.person}>
      <PageHead title={person.fullName} description={about} canonical={`/people/${person.slug}`} />
      {parts[0] ? (
        <KnownByBooks person={person} part={parts.at(-1)!} about={about} />
      ) : (
        <Who person={person} books={[]} about="Nothing of theirs is in the shop just now." />
      )}
      <div className={styles.parts}>
        {parts.map((part) => (
          <Part key={`${part.as} ${part.kind}`} person={person} part={part} />
        ))}
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
  const heard = narrates ? books.find(({ sample }) => sample) : undefined
  const shown = heard ?? books[0]
  const theme = shown ? themeOf(shown) : HOUSE
  return (
    <section className={styles.who} aria-labelledby="person">
      <Portrait slug={person.slug} theme={theme} narrates={narrates} />
      <div>
        <p className={styles.role}>{[roleOf(person), person.nationality].filter(Boolean).join(', ')}</p>
        <Display as="h1" size="lg" id="person">
          {person.fullName}
        </Display>
      </div>
      {about && <p className={styles.about}>{about}</p>}
      {heard && (
        <Band as="div" theme={theme} className={styles.voice}>
          <SampleButton book={heard} className={styles.hear} />
          <p>
            <b>Hear {possessive(person.firstName || person.lastName)} voice</b>
            <span className={styles.from}>
              From <em>{heard.title}</em>
            </span>
          </p>
          {heard.sampleSeconds && (
            <span className={styles.length} role="img" aria-label={spokenClock(heard.sampleSeconds)}>
              {clock(heard.sampleSeconds)}
            </span>
          )}
        </Band>
      )}
    </section>
  )
}

const roleOf = ({ writtenAudioBooks, writtenEBooks, readAudioBooks }: PersonPage): string =>
  [writtenAudioBooks + writtenEBooks > 0 && 'Author', readAudioBooks > 0 && 'Narrator']
    .filter(Boolean)
    .join(' and ')
    .replace(' and N', ' and n')

const possessive = (name: string) => (name.endsWith('s') ? `${name}’` : `${name}’s`)

/** "We have 2 audiobooks and 1 e-book by Edda Marlow, who has read 4 audiobooks." */
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

function Part({ person, part }: { person: PersonPage; part: PartOf }) {
  const query = useInfiniteQuery(booksOfQuery(person.id, part))
  const id = `${part.as}-${part.kind}`
  const books = query.data?.pages.flatMap((page): BookCard[] => page['hydra:member']) ?? []
  return (
    <section aria-labelledby={id}>
      <Display as="h2" size="md" id={id}>
        {part.as === 'narrators'
          ? `Read by ${person.firstName || person.lastName}`
          : part.kind === 'e_books'
            ? 'E-books'
            : 'Audiobooks'}
      </Display>
      <BookRows books={books} wide />
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

const SKIN = ['#F0CDB0', '#D9B093', '#BC8A68', '#8F5F42', '#623F2C']
const HAIR = ['#1F1C24', '#4B2E22', '#8C5B34', '#C9A36E', '#BDB8B2']
/** Below the head and above it. */
const CUTS = [
  {
    back: 'M106 262a150 150 0 0 1 300 0v118a26 26 0 0 1-26 26H132a26 26 0 0 1-26-26z',
    front: 'M150 282c-6-96 46-138 106-138s112 42 106 138c-34-18-58-50-66-86-26 46-82 84-146 86z',
  },
  {
    back: 'M140 250a116 116 0 0 1 232 0v40H140z',
    front: 'M150 268c-8-92 42-128 106-128s114 36 106 128c-22-34-40-52-106-52s-84 18-106 52z',
  },
  {
    back: 'M256 72a50 50 0 1 1 0 100a50 50 0 1 1 0-100zM136 262a120 120 0 0 1 240 0v24H136z',
    front: 'M150 276c-6-92 44-134 106-134s112 42 106 134c-12-46-58-84-106-84s-94 38-106 84z',
  },
  {
    back: 'M256 96a150 140 0 0 1 150 150c0 60-40 96-54 96H160c-14 0-54-36-54-96A150 140 0 0 1 256 96z',
    front:
      'M148 284c-4-40-2-140 108-140s112 100 108 140c-14-20-20-40-24-64-52 8-112-4-140-32-12 36-28 66-52 96z',
  },
]

interface PortraitProps {
  /** Of their page: the same person always looks the same. */
  slug: string
  /** Of a book they made. */
  theme: TitleTheme
  /** With headphones, and rings of sound. */
  narrates: boolean
}

/** A drawn head and shoulders, hidden from screen readers: the name is next to it. */
function Portrait({ slug, theme, narrates }: PortraitProps) {
  const [ground, text] = [theme['--title-bg'], theme['--title-text']]
  const seed = seedOf(slug)
  const skin = SKIN[seed % SKIN.length]!
  const visible = HAIR.filter((hair) => contrastOf(hair, ground) > 1.6 && contrastOf(hair, skin) > 1.6)
  const hair = visible[(seed >>> 3) % visible.length] ?? text
  const { back, front } = CUTS[(seed >>> 6) % CUTS.length]!
  const quiet = `color-mix(in srgb, ${text} 35%, ${ground})`
  return (
    <svg viewBox="0 0 600 600" aria-hidden="true" focusable="false" style={{ background: ground }}>
      {narrates &&
        RINGS.map(({ radius, degrees, from, strong }) => (
          <circle
            key={radius}
            cx="352"
            cy="318"
            r={radius}
            fill="none"
            stroke={strong ? text : quiet}
            strokeWidth={strong ? 22 : 12}
            pathLength={360}
            strokeDasharray={`${degrees} 360`}
            transform={`rotate(${from} 352 318)`}
          />
        ))}
      <path fill={hair} d={back} />
      <path
        fill={`color-mix(in srgb, ${text} 72%, ${ground})`}
        d="M24 600c0-118 78-176 232-176s232 58 232 176z"
      />
      <path fill={`color-mix(in srgb, ${skin} 84%, #000)`} d="M208 360h96v74a48 48 0 0 1-96 0z" />
      <path fill={skin} d="M156 262a100 100 0 0 1 200 0v42a100 104 0 0 1-200 0z" />
      <path fill={hair} d={front} />
      {narrates && (
        <>
          <path
            fill="none"
            stroke={text}
            strokeWidth="18"
            strokeLinecap="round"
            d="M104 262a152 152 0 0 1 304 0"
          />
          <rect x="84" y="244" width="44" height="96" rx="22" fill={text} />
          <rect x="384" y="244" width="44" height="96" rx="22" fill={text} />
        </>
      )}
    </svg>
  )
}

const RINGS = [
  { radius: 122, degrees: 61, from: -32, strong: false },
  { radius: 154, degrees: 68, from: -40, strong: true },
  { radius: 186, degrees: 43, from: -6, strong: false },
  { radius: 212, degrees: 72, from: -44, strong: false },
]

/** FNV-1a. */
const seedOf = (text: string): number =>
  Array.from(text).reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0,
    0x811c9dc5,
  )
