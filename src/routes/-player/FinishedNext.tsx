import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import type { StoredTitle } from '#storage/sound-db.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { coverOf, placeOf, themeOf } from '#features/catalogue/model.ts'
import { relatedQuery } from '#features/catalogue/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import { call } from '#net/call.ts'
import { useDownload } from '#features/downloads/store.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { OnePress, useCardFor } from '#features/checkout/one-press.tsx'
import { listenTo } from '#features/player/lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { useQueue } from '#features/queue/use-lists.ts'
import { bytes } from '#format/bytes.ts'
import { clock } from '#format/clock.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Band } from '#ui/Band.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './player.module.css'
import { useShelf } from '#features/library/use-shelf.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { price, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { Series } from '#contract/series.ts'
import { ownSeriesQuery } from '#features/series/queries.ts'

/** Below a finished book: one next thing in its own colours, then what is owned and not started; samples without either. */
export function FinishedNext({ slug }: { slug: string }) {
  const controls = usePlayer((store) => store.controls)
  const title = usePlayer((store) => store.state.title)
  const download = useDownload(titleKey('audio', slug))
  const { next, after, unheard, hasOwn } = useNextTitles(slug)
  const again = () => {
    const first = title?.chapters[0]
    if (first) controls?.goTo({ chapter: first.number, seconds: 0 })
    controls?.play()
  }
  return (
    <>
      <NextUp slug={slug} after={after} fallback={next && <Next {...next} after={after} />} />
      <Wrap className={styles.afterwards}>
        {unheard.length > 0 && (
          <section aria-labelledby="unheard">
            <Display as="h2" size="md" id="unheard">
              Yours, not started
            </Display>
            <ul role="list" className={styles.unheard}>
              {unheard.map((entry) => (
                <li key={entry.key}>
                  <Link to="/player/$slug" params={{ slug: entry.slug }}>
                    <Cover picture={entry.picture} alt="" sizes="(min-width: 900px) 180px, 45vw" lift />
                    <span className={styles.name}>{entry.title}</span>
                    <span className={styles.soft}>{entry.words}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
        <ul role="list" className={styles.ways}>
          <li>
            <button type="button" className={styles.way} onClick={again}>
              <Picture>
                <Icon of={ArrowUUpLeftIcon} />
              </Picture>
              <Words
                first="Listen again from the start"
                second={title?.chapters[0] ? `1. ${title.chapters[0].title}` : ''}
              />
            </button>
          </li>
          <li>
            <Link to={download.state === 'done' ? '/downloads' : '/library'} className={styles.way}>
              <Picture>
                <Icon of={BooksIcon} />
              </Picture>
              {download.state === 'done' ? (
                <Words first="Your downloads" second={`This one can go, ${bytes(download.bytes)}`} />
              ) : (
                <Words first="Back to your library" second="It’s there, marked as finished" />
              )}
            </Link>
          </li>
        </ul>
        {!hasOwn && <Samples slug={slug} />}
      </Wrap>
    </>
  )
}

const chosenByFinishersQuery = (owner: string, slug: string) =>
  queryOptions({
    queryKey: ownKey(owner, 'chosen-by-finishers', slug),
    queryFn: ({ signal }) =>
      call('GET /api/audio_books/{slug}/chosen_by_finishers', {
        params: { slug },
        ...{ signal, as: owner, background: true },
      }),
    staleTime: TEN_MINUTES_MS,
    retry: false,
  })

/** What others who finished the book chose; if too few did, books that share its tags. */
function Samples({ slug }: { slug: string }) {
  const online = useOnline()
  const owner = useSession((state) => (state.status === 'user' ? (state.owner?.uuid ?? '') : ''))
  const chosen = useQuery({ ...chosenByFinishersQuery(owner, slug), enabled: online && owner !== '' })
  const related = useQuery({ ...relatedQuery('audio_books', slug), enabled: online })
  const owned = useOwnedTitles((state) => state.owned)
  const toHear = (books: readonly BookCard[] = []) =>
    books.filter((book) => book.slug !== slug && book.sample && !owned.has(titleKey('audio', book.slug)))
  if (chosen.isLoading) return null
  const theirs = toHear(chosen.data?.['hydra:member'])
  return theirs.length > 0 ? (
    <BookCarousel title="Others who finished it chose" books={theirs} />
  ) : (
    <BookCarousel title="Or try the first minute" books={toHear(related.data?.['hydra:member'])} />
  )
}

interface NextBandProps {
  /** Undefined for a title that this device doesn't know. */
  entry: Pick<ShelfEntry, 'picture' | 'source'> | undefined
  label: string
  title: string
  facts: string
  after?: readonly ShelfEntry[]
  children: ReactNode
}

function NextBand({ entry, label, title, facts, after = NONE, children }: NextBandProps) {
  const theme = useMemo(() => coloursOf(entry?.source), [entry?.source])
  return (
    <Band theme={theme} aria-labelledby="next">
      <Wrap className={styles.next}>
        {entry && (
          <Cover
            picture={entry.picture}
            alt=""
            sizes="(min-width: 900px) 384px, 140px"
            hero
            className={styles.nextCover}
          />
        )}
        <div className={styles.nextWords}>
          <p>{label}</p>
          <Display as="h2" size="lg" id="next">
            {title}
          </Display>
          <p>{facts}</p>
        </div>
        <div className={styles.nextActions}>{children}</div>
        {after.length > 0 && (
          <div className={styles.after}>
            <p>After that, from your queue</p>
            <ul role="list">
              {after.map((each) => (
                <li key={each.key}>
                  <Cover picture={each.picture} alt="" sizes="48px" thumb />
                  <span>
                    <span className={styles.name}>{each.title}</span>
                    {each.words}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Wrap>
    </Band>
  )
}
const NONE: readonly ShelfEntry[] = []

type Coloured = Parameters<typeof themeOf>[0]
const isStored = (source: object): source is Pick<StoredTitle, 'colours'> => 'colours' in source
const isOwn = (source: object): source is { book: Coloured } => 'book' in source
const isBook = (source: object): source is Coloured => 'bookBackgroundColour' in source

/** Of a title of the library, a download, or a book of the shop. */
function coloursOf(source: object | undefined): TitleTheme {
  if (!source) return titleTheme()
  if (isStored(source)) return titleTheme(...source.colours)
  if (isOwn(source)) return themeOf(source.book)
  return isBook(source) ? themeOf(source) : titleTheme()
}

function Next({ entry, heading, words, after }: OfferedTitle & { after: readonly ShelfEntry[] }) {
  const { slug, title, author } = entry
  const navigate = useNavigate()
  const play = () =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  return (
    <NextBand
      entry={entry}
      label={heading}
      title={title}
      facts={[author, words].filter(Boolean).join(', ')}
      after={after}
    >
      <Button tone="title" tall onClick={play}>
        <Icon of={PlayIcon} size={20} filled />
        Play {title}
      </Button>
    </NextBand>
  )
}

const Picture = ({ children }: { children: ReactNode }) => <span className={styles.picture}>{children}</span>

const Words = ({ first, second }: { first: string; second: string }) => (
  <>
    <span>
      <span className={styles.name}>{first}</span>
      <span className={styles.soft}>{second}</span>
    </span>
    <Icon of={CaretRightIcon} />
  </>
)

const AUDIOBOOKS = { q: '', sort: 'added', series: undefined, show: 'audiobooks' } as const

const MOST_AFTER = 2
const MOST_UNHEARD = 3

/** Chosen from all titles, or offline from the stored ones. */
function useNextTitles(slug: string) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const asks = useSession((state) => state.status === 'user')
  const online = useOnline()
  const query = useInfiniteQuery({ ...libraryQuery(owner), enabled: asks })
  const queue = useQueue(owner) ?? []
  const coming = usePlayer((store) => store.nextUp?.slug)
  const shelf = useShelf(owner, query.data?.pages, AUDIOBOOKS, {
    online: online && asks,
    isLoaded: !query.isPending,
  })
  if (!shelf.ready) return { next: undefined, after: NONE, unheard: NONE, hasOwn: true }
  const keys = queue.map(({ key }) => key)
  const next = nextTitle(slug, keys, shelf)
  const first = coming ?? next?.entry.slug
  const others = shelf.titles.filter(
    (each) => each.format === 'audioBook' && each.slug !== slug && each.slug !== first,
  )
  const unheard = others.filter(({ share }) => share === 0).slice(0, MOST_UNHEARD)
  return {
    next,
    hasOwn: first !== undefined || unheard.length > 0,
    after: keys.flatMap((key) => others.find((each) => each.key === key) ?? []).slice(0, MOST_AFTER),
    unheard,
  }
}

interface NextUpProps {
  slug: string
  after: readonly ShelfEntry[]
  fallback: ReactNode
}

/** The countdown to the next title; otherwise the next of the series, to buy; otherwise `fallback`. */
function NextUp({ slug, after, fallback }: NextUpProps) {
  const next = usePlayer((store) => store.nextUp)
  const control = usePlayer((store) => store.player?.nextUp)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const online = useOnline()
  const owned = useOwnEntries(owner, online)
  const offer = useSeriesOffer(owner, slug, online)
  if (!next) return offer ? <Offer {...offer} /> : fallback
  const entry = owned.get(titleKey('audio', next.slug))
  return (
    <NextBand
      entry={entry}
      label={next.why}
      title={next.title}
      facts={[entry?.author, entry?.words].filter(Boolean).join(', ')}
      after={after}
    >
      <Button tone="title" tall onClick={() => control?.now()}>
        <Icon of={PlayIcon} size={20} filled />
        Play now
        <span className={styles.countdown} aria-hidden="true">
          {clock(next.secondsLeft)}
        </span>
        <VisuallyHidden>, in {plural(next.secondsLeft, 'second')}</VisuallyHidden>
      </Button>
      <Button look="quiet" tone="title" tall onClick={() => control?.no()}>
        Not now
      </Button>
    </NextBand>
  )
}

function Offer({ series, book, why }: NonNullable<ReturnType<typeof useSeriesOffer>>) {
  const hasCard = useCardFor(book) !== undefined
  return (
    <NextBand
      entry={{ picture: coverOf(book), source: book }}
      label={`Next in ${series}`}
      title={book.title}
      facts={`${why}, ${price(toMinor(book.price))}. Not in your library yet.`}
    >
      <OnePress book={book} />
      <LinkButton
        to="/audiobooks/$slug"
        params={{ slug: book.slug }}
        look={hasCard ? 'quiet' : 'solid'}
        tone="title"
        tall
      >
        See {book.title}
      </LinkButton>
    </NextBand>
  )
}

interface Shelf {
  /** The titles that can be opened now: offline, only downloads. */
  readonly titles: readonly ShelfEntry[]
  readonly begun: readonly ShelfEntry[]
}

interface OfferedTitle {
  readonly entry: ShelfEntry
  readonly heading: string
  readonly words: string
}

/**
 * The audiobook to offer after a finished one: the first of the queue, a started one, or the newest not
 * started.
 */
export function nextTitle(
  after: string,
  queue: readonly TitleKey[],
  { titles, begun }: Shelf,
): OfferedTitle | undefined {
  const isOther = ({ slug, format }: ShelfEntry) => format === 'audioBook' && slug !== after
  const others = titles.filter(isOther)
  const queued = queue.flatMap((key) => others.find((title) => title.key === key) ?? [])[0]
  if (queued) return { entry: queued, heading: 'Next in your queue', words: queued.words }
  const started = begun.find(isOther)
  if (started) return { entry: started, heading: 'Carry on with', words: started.words }
  const unheard = others.find(({ share }) => share === 0)
  const words = unheard?.words ? `${unheard.words}, not started` : 'Not started'
  return unheard && { entry: unheard, heading: 'Next on your shelf', words }
}

/** The next audiobook of the series if the listener does not own it. Offered, never played automatically. */
function useSeriesOffer(owner: string, slug: string, online: boolean) {
  const owned = useOwnEntries(owner, online)
  const series = owned.get(titleKey('audio', slug))?.series[0]?.slug
  const { data } = useQuery({
    ...ownSeriesQuery(series ?? '', owner),
    enabled: online && series !== undefined,
  })
  return data ? offerAfter(data, slug) : undefined
}

export function offerAfter(
  { title: series, last, inOrder }: Pick<Series, 'title' | 'last' | 'inOrder'>,
  slug: string,
) {
  const at = inOrder.findIndex(({ audioBook }) => audioBook?.slug === slug)
  const next = at === -1 ? undefined : inOrder[at + 1]
  // Don't offer it before its release.
  if (!next?.audioBook || next.comesOut !== null || next.audioBook.inLibrary) return undefined
  return {
    series,
    book: next.audioBook,
    why: placeOf({ series: [{ number: next.number, last }] }) || series,
  }
}
