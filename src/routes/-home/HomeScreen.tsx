import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { shopJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { HomepagePanel, StaffPick } from '#contract/home.ts'
import { coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { homepageQuery, staffPicksQuery, sectionsOf } from '#features/home/queries.ts'
import { type StartedTitle, useStarted, useAwaitedStarted } from '#features/library/started.ts'
import { firstShelf, isOpen, shop, trialOffer } from '#features/shop-details/shop.ts'
import { useOwesPayment, useSession } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display, ItalicWord } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './home.module.css'

const HomePanels = lazyPart(() => import('./HomePanels.tsx'), 'HomePanels')
const SampleButton = lazyPart(() => import('#features/samples/SampleButton.tsx'), 'SampleButton')
const LazyOwnHome = lazyPart(() => import('./OwnHome.tsx'), 'OwnHome')
let loadedOwnHome: typeof LazyOwnHome | undefined

/**
 * Loads the user's own part before the screen is rendered. Otherwise React would show its fallback first, and replace it
 * after 300 ms at the earliest.
 */
export async function loadOwnHome(): Promise<void> {
  loadedOwnHome = (await import('./OwnHome.tsx')).OwnHome
}

export function HomeScreen() {
  const started = useStarted()
  const stopWaiting = useAwaitedStarted()
  useStructuredData(import.meta.env.SSR && ((origin) => [shopJsonLd(origin)]))
  return started.length > 0 || stopWaiting ? (
    <HomeOf started={started} onLate={stopWaiting} />
  ) : (
    <HomeOfShop />
  )
}

function HomeOfShop() {
  const { data: home } = useSuspenseQuery(homepageQuery())
  const { data: picks } = useSuspenseQuery(staffPicksQuery())
  return (
    <>
      <Head home={home} />
      <Arranged home={home} picks={picks} />
    </>
  )
}

interface HomeOfProps {
  /** Empty while it is awaited. */
  started: readonly StartedTitle[]
  /** What was started is still unknown after some seconds. */
  onLate: (() => void) | undefined
}

/** The user's own part comes from the device, so it doesn't wait for the shop's. */
function HomeOf({ started, onLate }: HomeOfProps) {
  const { data: home } = useQuery(homepageQuery())
  const { data: picks, isError: hasNoPicks } = useQuery(staffPicksQuery())
  // The same component until the screen is left, or it would lose its state.
  const [OwnHome] = useState(() => loadedOwnHome ?? LazyOwnHome)
  return (
    <>
      <Head home={home ?? null} />
      <Suspense fallback={<div className={styles.ownSpace} />}>
        <OwnHome titles={started} onLate={onLate}>
          {(shownAbove) =>
            home &&
            // Picks that come later would take the place of the introduction.
            (picks !== undefined || hasNoPicks) && (
              <Arranged home={home} picks={picks ?? []} compact shownAbove={shownAbove} />
            )
          }
        </OwnHome>
      </Suspense>
    </>
  )
}

function Head({ home }: { home: HomepagePanel | null }) {
  return <PageHead title={nameOf(home)} description={home?.introText.visitor ?? null} canonical="/" />
}

const introOf = (home: HomepagePanel | null) =>
  home ? sectionsOf(home).find(({ section }) => section === 'curatedIntroPicks') : undefined

/** The headline names the page, unless it only repeats the shop's name. */
function nameOf(home: HomepagePanel | null): string {
  const heading = introOf(home)?.title.replace(/\.$/, '')
  return !heading || heading === shop().name ? 'Home' : heading
}

interface ArrangedProps {
  /** Null if the owner has arranged nothing yet. */
  home: HomepagePanel | null
  picks: readonly StaffPick[]
  /** Below the user's own part. */
  compact?: boolean
  /** Slugs of titles in the user's own part: picks and highlights end with them. */
  shownAbove?: readonly string[]
}

/** What the owner has arranged, in its order (HOME-01). */
function Arranged({ home, picks, compact, shownAbove }: ArrangedProps) {
  const text = useIntroText(home?.introText)
  const sections = home ? sectionsOf(home) : []
  const introAt = sections.findIndex(({ section }) => section === 'curatedIntroPicks')
  const isAbove = ({ book }: { book: AudioBookCard }) => Number(shownAbove?.includes(book.slug) ?? false)
  const shown = picks
    .flatMap(({ audioBook, ...pick }) => (audioBook ? [{ ...pick, book: audioBook }] : []))
    .toSorted((one, other) => isAbove(one) - isAbove(other))
  if (!home || sections.length === 0)
    return compact ? null : (
      <Suspense>
        <HomePanels home={null} />
      </Suspense>
    )
  const intro = sections[introAt]
  const staffPicks = shown.length > 0 && (
    <StaffPicks
      compact={compact}
      picks={shown.map(({ book, ...pick }) => ({
        theme: themeOf(book),
        node: <Pick key={pick['@id']} pick={pick} book={book} compact={compact} />,
      }))}
    />
  )
  return (
    <>
      {!intro && !compact && (
        <h1>
          <VisuallyHidden>Home</VisuallyHidden>
        </h1>
      )}
      <Suspense>
        <HomePanels
          home={home}
          sections={sections.slice(0, Math.max(0, introAt))}
          shownAbove={shownAbove}
          compact={compact}
        />
      </Suspense>
      {intro && !compact && <Intro title={intro.title} italic={intro.italic} text={text} pick={staffPicks} />}
      {intro && compact && staffPicks && <Wrap className={styles.compact}>{staffPicks}</Wrap>}
      {/* The footer stays below the window meanwhile. */}
      <Suspense fallback={<div className={styles.ownSpace} />}>
        <HomePanels
          home={home}
          sections={sections.slice(introAt + 1)}
          shownAbove={shownAbove && [...shownAbove, ...shown.map(({ book }) => book.slug)]}
          compact={compact}
        />
        {intro && compact && <IntroLine title={intro.title} italic={intro.italic} text={text} />}
      </Suspense>
    </>
  )
}

interface PickProps {
  pick: Omit<StaffPick, 'audioBook'>
  book: AudioBookCard
  compact: boolean | undefined
}

function Pick({ pick, book, compact }: PickProps) {
  return (
    <PickedBook
      theme={themeOf(book)}
      compact={compact}
      label={pick.title}
      cover={
        <Cover
          picture={coverOf(book)}
          alt={book.coverAlt}
          sizes={
            compact
              ? '(min-width: 1200px) 282px, (min-width: 768px) 38vw, 132px'
              : '(min-width: 768px) 250px, 132px'
          }
          hero={!compact}
        />
      }
      title={<Link {...linkTo(book)}>{book.title}</Link>}
      words={pick.description}
      by={pick.author}
      // The intro of visitors is in the first view, which has no sound yet.
      ways={
        compact && (
          <div className={styles.pickWays}>
            <LinkButton {...linkTo(book)} look="quiet" aria-label={`See the book: ${book.title}`}>
              See the book
            </LinkButton>
            {book.sample && (
              <Suspense>
                <SampleButton book={book} words="Sample" />
              </Suspense>
            )}
          </div>
        )
      }
    />
  )
}

interface IntroProps {
  title: string
  /** The word of the title to set in italics. */
  italic: string | null
  text: string
  pick: ReactNode
}

const Intro = ({ title, italic, text, pick }: IntroProps) => (
  <section className={styles.intro} aria-labelledby="intro">
    <Wrap className={styles.inner}>
      <Flock className={styles.flock} />
      <div className={styles.words}>
        <Display as="h1" size="xl" id="intro" className={styles.headline}>
          <ItalicWord text={title} word={italic} />
        </Display>
        <p className={styles.lead}>{text}</p>
        <div className={styles.actions}>
          <IntroActions />
        </div>
      </div>
      {pick}
    </Wrap>
  </section>
)

/** Below the user's own part the intro is short, and ends the page; the staff picks stay in their place. */
const IntroLine = ({ title, italic, text }: Omit<IntroProps, 'pick'>) => (
  <Wrap as="section" aria-labelledby="intro">
    <div className={styles.line}>
      <div>
        <Display as="h2" size="sm" id="intro">
          <ItalicWord text={title} word={italic} />
        </Display>
        <p className="quiet">{text}</p>
      </div>
      <div className={styles.actions}>
        <IntroActions compact />
      </div>
    </div>
  </Wrap>
)

/** Everyone is a visitor on the server, and until the session is known. */
const useReader = (): 'visitor' | 'user' | 'member' =>
  useSession((state) =>
    state.status !== 'user' ? 'visitor' : state.user?.currentSubscription ? 'member' : 'user',
  )

function useIntroText(text: HomepagePanel['introText'] | undefined): string {
  const reader = useReader()
  return text?.[reader] ?? ''
}

/** HOME-03 to HOME-05. */
function IntroActions({ compact = false }: { compact?: boolean }) {
  const look = compact ? 'text' : 'beak'
  const reader = useReader()
  const owes = useOwesPayment()
  return (
    <>
      {reader === 'visitor' && isOpen('/subscription') ? (
        <LinkButton look={look} to="/subscription/{-$token}">
          Discover membership
        </LinkButton>
      ) : (
        <LinkButton look={look} to={firstShelf().to}>
          {firstShelf().words}
        </LinkButton>
      )}
      {reader === 'member' ? (
        isOpen('/gift') && (
          <LinkButton look="text" to="/gift" search={{ plan: '3' }}>
            {shop().plans ? 'Give a membership' : 'Gift Premium Membership'}
          </LinkButton>
        )
      ) : owes ? (
        <LinkButton look="text" to="/subscription-details">
          Your membership
        </LinkButton>
      ) : (
        isOpen('/free-trial') && (
          <LinkButton look="text" to="/free-trial">
            {trialOffer()}
          </LinkButton>
        )
      )}
    </>
  )
}

interface StaffPicksProps {
  /** The arrows take the colours of the pick. */
  picks: readonly { theme: TitleTheme; node: ReactNode }[]
  compact: boolean | undefined
}

/** One at a time, never turned automatically (HOME-02). */
function StaffPicks({ picks, compact }: StaffPicksProps) {
  const [shown, setShown] = useState(0)
  const pick = picks[shown]
  const turn = (by: number) => setShown((shown + by + picks.length) % picks.length)
  return (
    <div
      className={styles.picks}
      data-compact={compact}
      role="group"
      aria-roledescription="carousel"
      aria-label="Staff picks"
    >
      <div aria-live="polite" className={styles.shownPick}>
        {pick?.node}
      </div>
      {picks.length > 1 && (
        <div className={styles.arrows} style={pick && !compact ? themeStyle(pick.theme) : undefined}>
          <IconButton label="Previous pick" icon={<Icon of={CaretLeftIcon} />} onClick={() => turn(-1)} />
          <IconButton label="Next pick" icon={<Icon of={CaretRightIcon} />} onClick={() => turn(1)} />
        </div>
      )}
    </div>
  )
}

interface PickedBookProps {
  theme: TitleTheme
  label: string
  compact: boolean | undefined
  cover: ReactNode
  /** A link to the title's page. */
  title: ReactNode
  words?: string
  by: string
  /** To the title's page, and its sample. */
  ways: ReactNode
}

function PickedBook({ theme, label, compact, cover, title, words, by, ways }: PickedBookProps) {
  return (
    <aside
      className={compact ? styles.wide : styles.pick}
      style={compact ? undefined : themeStyle(theme)}
      aria-label={label}
    >
      {cover}
      <div>
        <p className={styles.label}>{label}</p>
        <Display as="h2" size={compact ? 'lg' : 'md'} className={styles.title}>
          {title}
        </Display>
        {!words && <p className={styles.by}>{by}</p>}
      </div>
      {words && (
        <blockquote className={styles.pickWords}>
          {words}
          <footer className={styles.by}>{by}</footer>
        </blockquote>
      )}
      {ways}
    </aside>
  )
}
