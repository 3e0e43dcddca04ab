import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Fragment, useId, useState, type ReactNode } from 'react'
import { ErrorScreen } from '#app/problems/ErrorScreen.tsx'
import type { AudioBookCard, BookCard } from '#contract/catalogue.ts'
import type { HomepagePanel, HomeSection } from '#contract/home.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { BookPrice, PriceLine } from '#features/catalogue/BookPrice.tsx'
import { useMark } from '#features/catalogue/marks.ts'
import { authorsOf, coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { ItemCard, PieceList } from '#features/editorial/ItemCard.tsx'
import { itemIn } from '#features/editorial/model.ts'
import type { Section } from '#features/home/queries.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { listenTo } from '#features/samples/store.ts'
import { firstShelf, has, leadsSomewhere } from '#features/shop-details/shop.ts'
import { Band } from '#ui/Band.tsx'
import { Carousel } from '#ui/Carousel.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { SectionHead } from '#ui/SectionHead.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { MoreLink, Sections } from '../-layout/PageTop.tsx'
import { AppBlock } from '../-layout/AppBlock.tsx'
import styles from './panels.module.css'

/** A carousel of the home page shows at most eight (HOME-15). */
const SHOWN = 8

interface HomePanelsProps {
  /** Null if the owner has arranged nothing yet. */
  home: HomepagePanel | null
  sections?: readonly Section[]
  /** Slugs of titles that the page has shown already: rows of selected titles end with them, and another one is featured. */
  shownAbove?: readonly string[] | undefined
  /** Below the user's own part, which leaves less room to what the shop says about itself. */
  compact?: boolean | undefined
}

const NONE: readonly never[] = []

/** The home page without its intro. */
export function HomePanels({ home, sections = NONE, shownAbove = NONE, compact = false }: HomePanelsProps) {
  if (!home) return <NothingArranged />
  const shown = [...shownAbove]
  const panels = sections.flatMap(({ section, title }) => {
    const panel = homePanel(section, title, home, shown, compact)
    if (compact) shown.push(...(panel?.firstBooks ?? []))
    return panel ? [{ ...panel, section }] : []
  })
  return stretches(panels).map((stretch) => {
    const nodes = stretch.map(({ section, node }) => <Fragment key={section}>{node}</Fragment>)
    const key = stretch[0]?.section
    return stretch[0]?.band ? <Fragment key={key}>{nodes}</Fragment> : <Sections key={key}>{nodes}</Sections>
  })
}

const NothingArranged = () => (
  <ErrorScreen
    title="We’re still dressing the window"
    name="Home"
    actions={
      <LinkButton look="beak" to="/browse">
        Browse the shelves
      </LinkButton>
    }
  >
    <p>It’s empty for now, but the shelves are open.</p>
  </ErrorScreen>
)

/** Groups neighbours that aren't bands, so that the space between any two is the same. */
function stretches<P extends { readonly band?: true }>(panels: readonly P[]): P[][] {
  const found: P[][] = []
  for (const panel of panels) {
    const last = found.at(-1)
    if (last && !panel.band && !last[0]?.band) last.push(panel)
    else found.push([panel])
  }
  return found
}

type LinkTo =
  | '/browse'
  | '/audiobooks'
  | '/ebooks'
  | '/subscriber-selection'
  | '/editions'
  | '/astonishing-memoirs'
  | '/writers-dilemma'
  | '/murmurations'

interface Panel {
  /** A band goes from edge to edge; other panels share a section. */
  readonly band?: true
  readonly node: ReactNode
  /** Slugs of the titles that its row shows before it is moved. */
  readonly firstBooks?: readonly string[]
}

/** As many as a row shows at once on a desktop. */
const AT_ONCE = 4

/** Undefined if the section has nothing to show. The intro is rendered separately. */
function homePanel(
  section: HomeSection,
  title: string,
  home: HomepagePanel,
  shownAbove: readonly string[],
  compact: boolean,
): Panel | undefined {
  const books = (list: readonly BookCard[], to?: LinkTo) => {
    const first = list.slice(0, SHOWN)
    return first.length === 0
      ? undefined
      : {
          node: (
            <BookCarousel title={title} books={first} short more={to && <ViewAll to={to} of={title} />} />
          ),
          firstBooks: first.slice(0, AT_ONCE).map(({ slug }) => slug),
        }
  }
  /** For rows whose order says nothing, unlike that of the newest or the most heard titles. */
  const selected = (list: readonly BookCard[], to?: LinkTo) =>
    books(
      list.toSorted((a, b) => Number(shownAbove.includes(a.slug)) - Number(shownAbove.includes(b.slug))),
      to,
    )
  switch (section) {
    case 'curatedIntroPicks':
      return undefined
    case 'currentHighlights':
      return selected(home.highlightAudioBooks, '/subscriber-selection')
    case 'editions':
      return selected(home.editionAudioBooks, '/editions')
    case 'astonishingMemoirs':
      return selected(home.astonishingMemoirsAudioBooks, '/astonishing-memoirs')
    case 'writersDilemma':
      return selected(home.writersDilemmaAudioBooks, '/writers-dilemma')
    case 'guestPicks':
      return selected(home.pickedTitles)
    case 'newTitles':
      return books(home.newestTitles, firstShelf().to)
    case 'inStep':
      return selected(home.inStepTitles, '/browse')
    case 'mostHeard':
      return books(home.mostHeardTitles)
    case 'allTitles':
      // If the newest titles are all the titles, don't list them twice.
      return home.titlesByName.length <= home.newestTitles.length && home.newestTitles.length < SHOWN
        ? undefined
        : books(home.titlesByName, '/browse')
    case 'localShop':
      return home.aboutText
        ? { node: <AboutShop title={title} text={home.aboutText} compact={compact} /> }
        : undefined
    case 'howItWorks':
      return { node: <HowItWorks title={title} compact={compact} /> }
    case 'featuredAudioBook': {
      const all = home.featuredAudioBooks
      const book = all.find(({ slug }) => !shownAbove.includes(slug)) ?? all[0]
      return book && { band: true, node: <Featured title={title} book={book} />, firstBooks: [book.slug] }
    }
    case 'murmurations':
      return home.featuredMurmurations.length + home.specialFeaturedMurmurations.length > 0
        ? { node: <Murmurations title={title} home={home} compact={compact} /> }
        : undefined
    case 'playerApp':
      return home.appStoreLink || home.playStoreLink
        ? {
            node: (
              <AppBlock title={title} appStoreLink={home.appStoreLink} playStoreLink={home.playStoreLink} />
            ),
          }
        : undefined
  }
  return section satisfies never
}

function Featured({ title, book }: { title: string; book: AudioBookCard }) {
  const isOwned = useMark(book) === 'owned'
  return (
    <FeaturedBand
      theme={themeOf(book)}
      label={title}
      cover={
        <Cover
          picture={coverOf(book)}
          alt={book.coverAlt}
          sizes="(min-width: 1200px) 384px, (min-width: 768px) 38vw, 165px"
        />
      }
      title={book.title}
      by={authorsOf(book)}
      price={isOwned ? <PriceLine book={book} /> : <BookPrice book={book} withChoice />}
      action={
        <div className="row gap-3">
          {isOwned ? (
            <Button tone="title" tall onClick={() => listenTo(book.slug)}>
              <Icon of={PlayIcon} size={20} filled />
              Play
            </Button>
          ) : (
            <LinkButton {...linkTo(book)} tone="title" tall>
              See the book
            </LinkButton>
          )}
          {!isOwned && <SampleButton book={book} words="Sample" />}
        </div>
      }
    />
  )
}

/** The page has many "View all" links, so each has a label of its own. */
const ViewAll = ({ to, of }: { to: LinkTo; of: string }) => (
  <MoreLink to={to} aria-label={`View all, ${of}`}>
    View all
  </MoreLink>
)

const SPECIAL = 'Worth staying in for'

interface MurmurationsProps {
  title: string
  home: HomepagePanel
  compact: boolean
}

/** HOME-13. If compact, the special ones are a short list, so that no two carousels of pieces follow each other. */
function Murmurations({ title, home, compact }: MurmurationsProps) {
  const featured = home.featuredMurmurations.flatMap((each) => itemIn(each) ?? []).slice(0, SHOWN)
  const special = home.specialFeaturedMurmurations
    .flatMap((each) => itemIn(each) ?? [])
    .filter(({ id }) => !featured.some((item) => item.id === id))
    .slice(0, SHOWN)
  return (
    <>
      {featured.length > 0 && (
        <Carousel title={title} wideOnPhones more={<ViewAll to="/murmurations" of={title} />}>
          {featured.map((item) => (
            <ItemCard key={item.id} item={item} level="h3" layout="column" />
          ))}
        </Carousel>
      )}
      {special.length > 0 &&
        (compact ? (
          <section aria-labelledby="special-pieces">
            <SectionHead title={SPECIAL} id="special-pieces">
              <ViewAll to="/murmurations" of={SPECIAL} />
            </SectionHead>
            <PieceList items={special} />
          </section>
        ) : (
          <Carousel title={SPECIAL} wideOnPhones more={<ViewAll to="/murmurations" of={SPECIAL} />}>
            {special.map((item) => (
              <ItemCard key={item.id} item={item} level="h3" layout="column" />
            ))}
          </Carousel>
        ))}
    </>
  )
}

/** The owner's text; blank lines separate paragraphs (HOME-07). If compact, only the first shows until a press. */
function AboutShop({ title, text, compact }: { title: string; text: string; compact: boolean }) {
  const [isFolded, setFolded] = useState(compact)
  const id = useId()
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => <p key={paragraph}>{paragraph}</p>)
  const [first] = paragraphs
  return (
    <section className={styles.about} aria-labelledby="about-the-shop">
      <Display as="h2" size="md" id="about-the-shop">
        {title}
      </Display>
      <div className={styles.text}>
        <div id={id}>{isFolded ? first : paragraphs}</div>
        {compact && paragraphs.length > 1 && (
          <Button
            look="text"
            aria-expanded={!isFolded}
            aria-controls={id}
            aria-label={`${isFolded ? 'Read more' : 'Read less'}, ${title}`}
            onClick={() => setFolded(!isFolded)}
          >
            {isFolded ? 'Read more' : 'Read less'}
          </Button>
        )}
      </div>
    </section>
  )
}

interface FeaturedBandProps {
  theme: TitleTheme
  label: string
  cover: ReactNode
  title: string
  by: string
  price: ReactNode
  action: ReactNode
}

/** HOME-10. */
function FeaturedBand({ theme, label, cover, title, by, price, action }: FeaturedBandProps) {
  return (
    <Band theme={theme} aria-labelledby="featured">
      <Wrap className={styles.featured}>
        <div className={styles.cover}>{cover}</div>
        <div>
          <p className={styles.label}>{label}</p>
          <Display as="h2" size="lg" id="featured">
            {title}
          </Display>
          <p className={styles.by}>{by}</p>
        </div>
        <div className={styles.featuredActions}>
          <div className={styles.price}>{price}</div>
          {action}
        </div>
      </Wrap>
    </Band>
  )
}

const stepsOf = (
  membership: boolean,
  sound: boolean,
  highlights: boolean,
  hasAccount: boolean,
): readonly (readonly [step: string, words: string])[] => [
  [
    'Join',
    hasAccount
      ? 'You have. Your account keeps your library and your place.'
      : `${membership ? 'Pick a plan, or none at all. ' : ''}A free account keeps your library and your place.`,
  ],
  [
    'Add to library',
    membership
      ? `Buy a title, take a free one, or choose ${highlights ? 'one of the highlights' : 'one'} with your membership.`
      : 'Buy a title, or take a free one. It’s yours for good.',
  ],
  [
    sound ? 'Listen anywhere' : 'Read anywhere',
    'Download it before the tunnel. Your place follows you from phone to kitchen.',
  ],
]

/** HOME-08. */
function HowItWorks({ title, compact }: { title: string; compact: boolean }) {
  return (
    <section aria-labelledby="how-it-works">
      <Display as="h2" size="md" id="how-it-works">
        {title}
      </Display>
      <ol role="list" className={styles.steps} data-compact={compact}>
        {stepsOf(has('membership'), has('audiobooks'), leadsSomewhere('/subscriber-selection'), compact).map(
          ([step, words], index) => (
            <li key={step}>
              <span aria-hidden="true" className={styles.number}>
                {index + 1}
              </span>
              <h3>{step}</h3>
              <p>{words}</p>
            </li>
          ),
        )}
      </ol>
    </section>
  )
}
