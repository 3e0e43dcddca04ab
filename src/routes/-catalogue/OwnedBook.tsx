import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { isHeardToTheEnd } from '#contract/finished.ts'
import { track } from '#features/analytics/track.ts'
import { priced } from '#features/analytics/use-views.ts'
import { useGiftEntry } from '#features/bag/BuyButton.tsx'
import { accessibilityOf, detailsOf, OtherFormatLink, ShortRecording } from '#features/catalogue/BookHero.tsx'
import { lengthOf, placeOf, styleLink } from '#features/catalogue/model.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import { DownloadButton } from '#features/downloads/DownloadButton.tsx'
import { useDownload } from '#features/downloads/store.ts'
import { readingOf } from '#features/library/model.ts'
import { usePlaces } from '#features/library/use-places.ts'
import { listenTo } from '#features/player/lazy.ts'
import { bookSeconds, type Chapter, chapterAt, sameTitle, secondsIntoBook } from '#features/player/model.ts'
import { useResumeSeconds } from '#features/player/position.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { has } from '#features/shop-details/shop.ts'
import { bytes } from '#format/bytes.ts'
import { chapterInWords } from '#format/chapter.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { shortLength } from '#format/duration.ts'
import { monthYear } from '#format/date.ts'
import { connectivity } from '#net/connectivity.ts'
import { currentOwner, currentSession, useSession } from '#session/store.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { titleKey } from '#storage/title-key.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { carryCover } from '#ui/carry-cover.ts'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Fold } from '#ui/Fold.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { MenuEntry } from '#ui/Menu.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { toast } from '#ui/toast.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './catalogue.module.css'
import { shareBook } from './share-book.ts'

const AwaitedFile = lazyPart(() => import('./AwaitedFile.tsx'), 'AwaitedFile')
const HistorySheet = lazyPart(() => import('#features/listening/EarlierPlaces.tsx'), 'HistorySheet')
const NoDownload = lazyPart(() => import('./BookDialogs.tsx'), 'NoDownload')
const TitleMenu = lazyPart(() => import('#features/queue/TitleMenu.tsx'), 'TitleMenu')

interface OwnedBookProps {
  book: Book
  /** The server's answer to its owner; false for what the device knows until then. */
  isComplete: boolean
  /** The button that plays the sample of a demo's title without other sound. */
  sample: ReactNode
}

/** What an owner does with a book: play or read it on, keep it on this device; everything else is in its menu. */
export function OwnedActions({ book, isComplete, sample }: OwnedBookProps) {
  if (book.entityType === 'audioBook') {
    if (book.sampleOnly && book.sample) return <InLibrary book={book}>{sample}</InLibrary>
    if (isComplete && book.audioFiles.length === 0)
      return (
        <InLibrary book={book}>
          <p>Its files aren’t ready yet. They won’t be long.</p>
        </InLibrary>
      )
    return <OwnedAudioBook book={book} />
  }
  if (book.download || !isComplete) return <OwnedEBook book={book} />
  return (
    <InLibrary book={book}>{book.hideDownload ? <WithoutFile /> : <Awaited slug={book.slug} />}</InLibrary>
  )
}

/** A book that can't be opened. */
const InLibrary = ({ book, children }: { book: Book; children: ReactNode }) => (
  <div className={styles.owned}>
    <Facts left={<Kept book={book} />} />
    <div className={styles.act}>{children}</div>
  </div>
)

const Kept = ({ book }: { book: Book }) => (
  <span className={styles.kept}>
    <Icon of={CheckIcon} size={18} />
    {book.retired ? 'In your library. It’s no longer sold, and stays yours.' : 'In your library'}
  </span>
)

const Facts = ({ left, right }: { left: ReactNode; right?: ReactNode }) => (
  <p className={styles.facts}>
    <b>{left}</b>
    {right && <span>{right}</span>}
  </p>
)

function OwnedAudioBook({ book }: { book: Book }) {
  const { chapters, place, chapter, secondsLeft, share, isFinished } = useHeard(book)
  const { isPlaying, play } = usePlayOwned(book)
  const resumesAt = useResumeSeconds(book.slug, place)
  const words = isPlaying
    ? 'Pause'
    : isFinished
      ? 'Listen again'
      : resumesAt > 0
        ? `Play from ${clock(resumesAt)}`
        : 'Play'
  const [first] = chapters
  const again = isFinished && first && { chapter: first.number, seconds: 0 }
  const left = isFinished ? 'Finished' : chapter ? chapterInWords(chapter.number, chapter.title) : undefined
  return (
    <div className={styles.owned}>
      <ProgressLine
        share={share}
        tone="title"
        label={`Heard of ${book.title}`}
        valueText={left ?? 'Not started'}
        className={styles.line}
      />
      <Facts
        left={left ?? <Kept book={book} />}
        right={
          place && !isFinished
            ? `${shortLength(Math.max(60, secondsLeft))} left`
            : lengthOf(book) || shortLength(bookSeconds(chapters))
        }
      />
      <div className={styles.act}>
        <MainAction>
          <Button tone="title" tall onClick={() => play(again || undefined)}>
            <Icon of={isPlaying ? PauseIcon : PlayIcon} size={20} filled />
            {words}
          </Button>
        </MainAction>
        <QuietActions book={book} />
      </div>
    </div>
  )
}

function OwnedEBook({ book }: { book: Book }) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const read = readingOf(usePlaces(owner).readings.get(book.slug)?.share)
  const pages = book.pages ?? 0
  const page = Math.max(1, Math.round((read?.share ?? 0) * pages))
  const at = pages > 0 ? `Page ${page} of ${pages}` : read?.words
  const left = read?.finished ? 'Finished' : read && at
  return (
    <div className={styles.owned}>
      <ProgressLine
        share={read?.share ?? 0}
        tone="title"
        label={`Read of ${book.title}`}
        valueText={left ?? 'Not started'}
        className={styles.line}
      />
      <Facts
        left={left ?? <Kept book={book} />}
        right={read && !read.finished && pages > 0 ? `${pages - page} pages left` : lengthOf(book)}
      />
      <div className={styles.act}>
        <MainAction>
          <LinkButton tone="title" tall to="/read/$slug" params={{ slug: book.slug }}>
            <Icon of={BookOpenIcon} size={20} />
            {read && !read.finished ? 'Continue reading' : 'Read'}
          </LinkButton>
        </MainAction>
        <QuietActions book={book} />
      </div>
    </div>
  )
}

/** Takes over the focus of the button with which the book was just chosen, which is about to go. */
function MainAction({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement?.getAttribute('aria-disabled') === 'true')
      place.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [])
  return (
    <div ref={place} className={styles.main}>
      {children}
    </div>
  )
}

/** The download, whose state has to be seen, and a menu with everything else. */
function QuietActions({ book }: { book: Book }) {
  const isAudio = book.entityType === 'audioBook'
  const key = titleKey(isAudio ? 'audio' : 'ebook', book.slug)
  const owner = useSession((state) => state.owner?.uuid)
  const [history, setHistory] = useState<boolean>()
  const gift = useGiftEntry(
    book,
    (added) => void track((events) => events.addToCart(priced(added, isPremium()))),
  )
  const save = useSaveFile(book.slug)
  const entries = [
    isAudio &&
      owner !== undefined && {
        key: 'history',
        label: 'Listening history',
        onSelect: () => setHistory(true),
      },
    book.download !== null &&
      !isAudio && {
        key: 'file',
        label: 'Download e-book',
        link: <FileLink href={book.download} onPress={save} />,
      },
    { key: 'share', label: 'Share', onSelect: () => void shareBook(book) },
    gift,
  ].filter((entry): entry is MenuEntry => Boolean(entry))
  return (
    <>
      <DownloadButton titleKey={key} of={book.title} tone="title" className={styles.boxed} />
      <Suspense fallback={<span className={styles.boxed} />}>
        <TitleMenu titleKey={key} title={book.title} more={entries} className={styles.boxed} />
      </Suspense>
      {history !== undefined && (
        <Suspense>
          <HistorySheet slug={book.slug} open={history} onOpenChange={setHistory} />
        </Suspense>
      )}
    </>
  )
}

const isPremium = () => currentSession().user?.currentSubscription != null

interface FileLinkProps extends ComponentProps<'a'> {
  onPress: () => void
}

/** A link that can be copied. */
const FileLink = ({ onPress, onClick, href, children, ...rest }: FileLinkProps) => (
  <a
    {...rest}
    href={href}
    download
    onClick={(event) => {
      event.preventDefault()
      onClick?.(event)
      onPress()
    }}
  >
    {children}
  </a>
)

/** Saves the file of an e-book from a new address, because each expires after a short time. */
function useSaveFile(slug: string) {
  const queryClient = useQueryClient()
  return () => void saveFile(queryClient, slug)
}

async function saveFile(queryClient: QueryClient, slug: string): Promise<void> {
  const ownerUuid = currentOwner() ?? ''
  const address = async () =>
    connectivity.snapshot() === 'offline'
      ? null
      : (await queryClient.fetchQuery({ ...ownBookQuery('e_books', slug, ownerUuid), staleTime: 0 }))
          ?.download
  const { saveEBook } = await import('#features/downloads/save-e-book.ts')
  if (!(await saveEBook({ ownerUuid, slug, address })))
    toast('That didn’t save. Check your connection and try again.')
}

const Awaited = ({ slug }: { slug: string }) => (
  <Suspense>
    <AwaitedFile slug={slug} />
  </Suspense>
)

function WithoutFile() {
  const [asked, setAsked] = useState<boolean>()
  return (
    <>
      <MainAction>
        <Button tone="title" tall onClick={() => setAsked(true)}>
          <Icon of={BookOpenIcon} size={20} />
          Read
        </Button>
      </MainAction>
      {asked !== undefined && (
        <Suspense>
          <NoDownload open={asked} onOpenChange={setAsked} />
        </Suspense>
      )}
    </>
  )
}

/** How far the user has listened to an audiobook, on any device. */
function useHeard(book: Book) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const { places } = usePlaces(owner)
  const chapters = useMemo(() => chaptersOf(book), [book])
  const saved = places.get(book.slug)
  const total = bookSeconds(chapters)
  const heard = saved ? Math.min(total, secondsIntoBook(chapters, saved)) : 0
  const place = heard > 0 ? saved : undefined
  return {
    chapters,
    place,
    chapter: place && chapterAt(chapters, place.chapter),
    share: total > 0 ? heard / total : 0,
    secondsLeft: total - heard,
    isFinished: place !== undefined && isHeardToTheEnd(chapters, place),
  }
}

const chaptersOf = ({ audioFiles, chapters }: Book): readonly Chapter[] =>
  (audioFiles.length > 0 ? audioFiles : chapters).map(({ chapterOrderNumber, chapterTitle, playtime }) => ({
    number: chapterOrderNumber,
    title: chapterTitle,
    seconds: playtime,
    bytes: 0,
  }))

/** Plays the book from a place, or on from where it was left; pauses it while it plays. */
function usePlayOwned({ slug }: Book) {
  const navigate = useNavigate()
  const controls = usePlayer((store) => store.controls)
  const isPlaying = usePlayer(
    ({ state }) => wantsSound(state) && sameTitle(state.title, { slug, kind: 'book' }),
  )
  const play = (at?: ChapterSeconds) => {
    if (isPlaying && !at) return controls?.pause()
    void listenTo(
      { slug, kind: 'book' },
      () => {
        carryCover('player-cover', document.querySelector('[style*="book-cover"]'))
        void navigate({ to: '/player/$slug', params: { slug }, viewTransition: true })
      },
      at,
    )
  }
  return { isPlaying, play }
}

/** The chapters of an owned audiobook: each plays from its start, the current one from its place. */
export function OwnedChapters({ book }: { book: Book }) {
  const { chapters, chapter: current, isFinished } = useHeard(book)
  const { play } = usePlayOwned(book)
  if (chapters.length === 0) return null
  return (
    <section aria-labelledby="chapters">
      <Display as="h2" size="md" id="chapters">
        Chapters
      </Display>
      <Fold phone={366} desktop={488} more="Show all" less="Show less" of="chapters">
        <ol className={styles.chapters}>
          {chapters.map((chapter) => {
            const isCurrent = !isFinished && chapter.number === current?.number
            const isHeard = isFinished || (current !== undefined && chapter.number < current.number)
            return (
              <li key={chapter.number}>
                <button
                  type="button"
                  aria-current={isCurrent || undefined}
                  onClick={() => play(isCurrent ? undefined : { chapter: chapter.number, seconds: 0 })}
                >
                  <span className={styles.soft}>{chapter.number}</span>
                  <span>{chapter.title}</span>
                  <span className={styles.soft}>
                    <span aria-hidden="true">{clock(chapter.seconds)}</span>
                    <VisuallyHidden>{spokenClock(chapter.seconds)}</VisuallyHidden>
                  </span>
                  {isCurrent ? (
                    <Icon of={PlayIcon} size={18} filled />
                  ) : isHeard ? (
                    <span className={styles.soft}>
                      <Icon of={CheckIcon} size={20} />
                      <VisuallyHidden>heard</VisuallyHidden>
                    </span>
                  ) : (
                    <span />
                  )}
                </button>
              </li>
            )
          })}
        </ol>
      </Fold>
      <ShortRecording book={book} className={cx(styles.soft, styles.shortRecording)} />
    </section>
  )
}

/** What the page of a book for sale says next to its price and in its details, in one list. */
export function OwnedDetails({ book }: { book: Book }) {
  const isAudio = book.entityType === 'audioBook'
  const download = useDownload(titleKey(isAudio ? 'audio' : 'ebook', book.slug))
  const other = book.eBook ?? book.audioBook
  const otherType = book.eBook ? 'eBook' : 'audioBook'
  // Pages stored before there were series have none.
  const series: Partial<Pick<Book, 'series'>> = book
  const reading = accessibilityOf(book)
  return (
    <section aria-labelledby="details" className={styles.ownedDetails}>
      <Display as="h2" size="md" id="details">
        Details
      </Display>
      <dl className={styles.factRows}>
        {(series.series ?? []).map((place) => (
          <Fact key={place.slug} name={placeOf({ series: [place] }) || 'Series'}>
            <Link to="/series/$slug" params={{ slug: place.slug }}>
              {place.title}
            </Link>
          </Fact>
        ))}
        <Fact name="Style">
          {book.style && <Link {...styleLink(book, book.style.id)}>{book.style.title}</Link>}
        </Fact>
        <Fact name="Length">{lengthOf(book)}</Fact>
        <Fact name="Publisher">
          {book.publisher && (
            <Link to="/publishers/$slug" params={{ slug: book.publisher.slug }}>
              {book.publisher.name}
            </Link>
          )}
        </Fact>
        <Fact name="First published">{book.firstPublished && monthYear(book.firstPublished)}</Fact>
        <Fact name="Language">{book.language?.title}</Fact>
        <Fact name="Translated by">{book.translator?.fullName}</Fact>
        <Fact name={otherType === 'eBook' ? 'Also an e-book' : 'Also an audiobook'}>
          {other && <OtherFormatLink type={otherType} other={other} />}
        </Fact>
        <Fact name="On paper">
          {book.publisherBookLink && (
            <a href={book.publisherBookLink} rel="noopener external">
              {book.publisherBookName ?? 'Buy the physical book'}
            </a>
          )}
        </Fact>
        <Fact name="Edition">
          {book.edition && has('editions') && (
            <Link to={isAudio ? '/editions' : '/ebooks'}>One of our editions</Link>
          )}
        </Fact>
        <Fact name="On this device">
          {download.state === 'done' && <Link to="/downloads">{bytes(download.bytes)}</Link>}
        </Fact>
        {detailsOf(book).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name="Accessibility">
          {reading.length > 0 && (
            <ul>
              {reading.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) =>
  children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null
