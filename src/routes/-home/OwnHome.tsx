import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { HeadphonesIcon } from '@phosphor-icons/react/dist/csr/Headphones'
import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { focusHeading } from '#app/page/announce-screens.ts'
import { authorsOf, coverOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { storeHomeSnapshot } from '#features/library/home-snapshot.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { StartedTitle } from '#features/library/started.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { listenTo } from '#features/player/lazy.ts'
import { useResumeSeconds } from '#features/player/position.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { clock } from '#format/clock.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { formatOfKey, slugOfKey, type TitleKey } from '#storage/title-key.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useIsLate } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './own-home.module.css'

interface OwnHomeProps {
  /** Last heard first; empty until a new device has fetched them. */
  titles: readonly StartedTitle[]
  /** The titles are still unknown after some seconds. */
  onLate: (() => void) | undefined
  /** The shop's panels, given the slugs of the titles above them: those started, and those to choose from. */
  children: (shownAbove: readonly string[]) => ReactNode
}

/** What the user has started, at once and from the device; then this month's choice, gifts, and what plays offline. */
export function OwnHome({ titles, onLate, children }: OwnHomeProps) {
  const [last, ...others] = titles
  if (!last) return <NowComing onLate={onLate} />
  return (
    <>
      <Now title={last} others={others} />
      <Suspense fallback={<div className={styles.coming} aria-busy="true" />}>
        <OwnParts titles={titles}>{children}</OwnParts>
      </Suspense>
    </>
  )
}

/** Loaded after the band, which is the first view. */
const OwnParts = lazyPart(() => import('./OwnParts.tsx'), 'OwnParts')

function Now({ title, others }: { title: StartedTitle; others: readonly StartedTitle[] }) {
  const { key, book, share, left, chapter, place, other } = title
  const isEBook = book.entityType === 'eBook'
  const { bookBackgroundColour, containerBackgroundColour, textColour } = book
  const theme = useMemo(
    () => themeOf({ bookBackgroundColour, containerBackgroundColour, textColour }),
    [bookBackgroundColour, containerBackgroundColour, textColour],
  )
  useBand(theme)
  const { isPlaying, goOn, pause } = useGoingOn(key)
  const resumesAt = useResumeSeconds(book.slug, place)
  const narrators = narratorsOf(book)
  const heading = useSnapshot(isPlaying, title, others)
  return (
    <Band theme={theme} aria-labelledby="now" className={styles.band}>
      <Wrap className={styles.now}>
        <Link {...opening(key)} tabIndex={-1} aria-hidden="true" className={styles.cover}>
          <Cover
            picture={coverOf(book)}
            alt=""
            sizes="(min-width: 900px) 384px, (min-width: 768px) 300px, 168px"
            hero
          />
        </Link>
        <div className={styles.words}>
          <p className={styles.label}>{isEBook ? 'Carry on reading' : 'Carry on listening'}</p>
          <Display ref={heading} as="h1" size="lg" id="now" className={styles.title}>
            <Link {...opening(key)}>{book.title}</Link>
          </Display>
          {chapter && (
            <p className={styles.chapter} data-started="chapter">
              {chapter}
            </p>
          )}
          <p className={styles.label}>{isEBook || !narrators ? authorsOf(book) : `Read by ${narrators}`}</p>
        </div>
        <div className={styles.going} data-started="share">
          <ProgressLine share={share} tone="title" />
          <p className={styles.facts}>
            <b data-started="left">{left}</b>
            <ReadyOffline of={key} />
          </p>
          <Button tone="title" tall className={styles.go} onClick={isPlaying ? pause : goOn}>
            <Icon of={isEBook ? BookOpenIcon : isPlaying ? PauseIcon : PlayIcon} size={22} filled />
            <span data-started="play">
              {isEBook
                ? 'Read on'
                : isPlaying
                  ? 'Pause'
                  : resumesAt > 0
                    ? `Play from ${clock(resumesAt)}`
                    : 'Play'}
            </span>
          </Button>
          {other && <OtherFormat to={other} />}
        </div>
        {others.length > 0 ? (
          <Also heading="Also started" titles={others.map(beside)} />
        ) : (
          <NotStarted besides={title} />
        )}
      </Wrap>
    </Band>
  )
}

/** Stores the section of the heading that gets the ref, for the next start of the app, unless it says "Pause". */
function useSnapshot(isPlaying: boolean, title: StartedTitle, others: readonly StartedTitle[]) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isPlaying) return undefined
    // Not before the next paint: it takes a slow phone some milliseconds.
    const timer = setTimeout(() => {
      const band = heading.current?.closest('section')
      if (band) storeHomeSnapshot(band, [title, ...others])
    }, STORED_AFTER_MS)
    return () => clearTimeout(timer)
  })
  return heading
}
const STORED_AFTER_MS = 500

/** Opens at the sentence where the user is in the format used last. */
function OtherFormat({ to }: { to: TitleKey }) {
  const isEBook = formatOfKey(to) === 'ebook'
  const { goOn } = useGoingOn(to)
  return (
    <Button look="text" tone="title" className={styles.switch} onClick={goOn}>
      <Icon of={isEBook ? BookOpenIcon : HeadphonesIcon} size={20} />
      {isEBook ? 'Read from here' : 'Listen from here'}
    </Button>
  )
}

const NOW_WITHIN_MS = 4_000

function NowComing({ onLate }: Pick<OwnHomeProps, 'onLate'>) {
  const isLate = useIsLate(NOW_WITHIN_MS)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isLate) onLate?.()
  }, [isLate, onLate])
  useLayoutEffect(() => {
    const own = heading.current
    return () => {
      // The heading that replaces this one gets the focus, once it is in the page.
      if (document.activeElement === own) queueMicrotask(() => void focusHeading())
    }
  }, [])
  return (
    <>
      <Wrap className={styles.now} aria-busy="true">
        <div className={styles.cover}>
          <Skeleton ratio="1" cover />
        </div>
        <div className={styles.words}>
          <h1 ref={heading} className="visually-hidden">
            Home
          </h1>
          <Skeleton width="80%" height="var(--s6)" />
        </div>
        <div className={styles.going}>
          <Skeleton height="var(--s7)" />
        </div>
      </Wrap>
      <div className={styles.coming} />
    </>
  )
}

function ReadyOffline({ of }: { of: TitleKey }) {
  const isStored = useDownloadsStore(({ byTitle }) => byTitle.get(of)?.state === 'done')
  return (
    isStored && (
      <span className={styles.stored}>
        <Icon of={CheckIcon} size={16} />
        Ready offline
      </span>
    )
  )
}

/** A title in the column next to the book in progress. */
type Beside = Pick<ShelfEntry, 'key' | 'title' | 'picture' | 'words'>

const beside = ({ key, book, left }: StartedTitle): Beside => ({
  key,
  title: book.title,
  picture: coverOf(book),
  words: left,
})

const NOT_STARTED = 3
/** A list of one would leave most of its column empty. Without a list the title in progress is wider. */
const LEAST_NOT_STARTED = 2

/** The newest titles in the library that are still to be heard or read, without the other format of this one. */
function NotStarted({ besides }: { besides: StartedTitle }) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const entries = useOwnEntries(owner, useOnline())
  const titles = [...entries.values()]
    .filter(({ slug, heardAtMs, share }) => slug !== besides.book.slug && heardAtMs === undefined && !share)
    .sort((one, other) => other.addedAtMs - one.addedAtMs)
    .slice(0, NOT_STARTED)
  return titles.length >= LEAST_NOT_STARTED && <Also heading="Not started yet" titles={titles} onlyBeside />
}

interface AlsoProps {
  heading: string
  titles: readonly Beside[]
  /** Only where there is a column for it. */
  onlyBeside?: boolean
}

const Also = ({ heading, titles, onlyBeside }: AlsoProps) => (
  <section className={styles.also} data-beside={onlyBeside} aria-labelledby="also">
    <h2 id="also">{heading}</h2>
    <ul role="list">
      {titles.map(({ key, title, picture, words }) => (
        <AlsoRow key={key} of={key} title={title} picture={picture} words={words} />
      ))}
    </ul>
  </section>
)

function AlsoRow({ of, title, picture, words }: Omit<Beside, 'key'> & { of: TitleKey }) {
  const isEBook = formatOfKey(of) === 'ebook'
  const { isPlaying, goOn, pause } = useGoingOn(of)
  const act = isEBook ? 'Read' : isPlaying ? 'Pause' : 'Play'
  return (
    <li>
      <button
        type="button"
        className={styles.other}
        aria-label={`${act} ${title}${words ? `, ${words}` : ''}`}
        onClick={isPlaying ? pause : goOn}
      >
        <Cover picture={picture} alt="" sizes="48px" thumb className={styles.thumb} />
        <span>
          <span className={styles.name}>{title}</span>
          <span className={styles.label}>{words}</span>
        </span>
        <span className={styles.ring}>
          <Icon of={isEBook ? BookOpenIcon : isPlaying ? PauseIcon : PlayIcon} size={16} filled />
        </span>
      </button>
    </li>
  )
}

const opening = (key: TitleKey) => {
  const params = { slug: slugOfKey(key) }
  return formatOfKey(key) === 'ebook'
    ? ({ to: '/read/$slug', params } as const)
    : ({ to: '/player/$slug', params } as const)
}

function useGoingOn(key: TitleKey) {
  const navigate = useNavigate()
  const slug = slugOfKey(key)
  const isEBook = formatOfKey(key) === 'ebook'
  const isPlaying = usePlayer(
    ({ state }) => !isEBook && state.title?.slug === slug && state.title.kind === 'book' && wantsSound(state),
  )
  const open = () => void navigate(opening(key))
  return {
    isPlaying,
    goOn: isEBook ? open : () => void listenTo({ slug, kind: 'book' }, open),
    pause: () => usePlayer.getState().controls?.pause(),
  }
}
