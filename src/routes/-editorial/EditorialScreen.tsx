import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useHydrated } from '@tanstack/react-router'
import { useId, useMemo, useState, useSyncExternalStore } from 'react'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { PageHead } from '#app/page/PageHead.tsx'
import { editorialJsonLd, editorialTrail, useStructuredData } from '#app/page/structured-data.ts'
import { MorePieces } from '#features/editorial/ItemCard.tsx'
import { BookCarousel, BookRows } from '#features/catalogue/BookCards.tsx'
import { type EditorialKind, authorOf, itemTheme, linkTo, pictureOf } from '#features/editorial/model.ts'
import { itemQuery, itemsQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { useSession } from '#session/store.ts'
import { Sections } from '#routes/-layout/PageTop.tsx'
import type { EditorialCard, EditorialItem } from '#contract/editorial.ts'
import { longDate } from '#format/date.ts'
import { plural } from '#format/plural.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { RecordingParts, RecordingQuestion, useRunningPart } from '#features/player/RecordingBar.tsx'
import { Band, useBand } from '#ui/Band.tsx'
import { isOver } from '#contract/calculations/event-time.ts'
import { Icon } from '#ui/Icon.tsx'
import { type SeatLinks, Ticket } from './Ticket.tsx'
import {
  type Own,
  AfterText,
  Kicker,
  Recording,
  addressOf,
  playItem,
  MembersBlock,
  withheldIn,
} from './EditorialParts.tsx'
import styles from './editorial.module.css'

const NO_LINKS: SeatLinks = {}

interface EditorialScreenProps {
  kind: EditorialKind
  slug: string
  /** Tokens of links in emails about a seat at an event. */
  links?: SeatLinks
}

export function EditorialScreen({ kind, slug, links = NO_LINKS }: EditorialScreenProps) {
  const { data: shown } = useQuery(itemQuery(kind, slug))
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  // Only members' items differ for users who are logged in.
  const isAsked = owner !== undefined && shown?.memberOnly === true
  const asked = useQuery({ ...ownItemQuery(kind, slug, owner ?? ''), enabled: isAsked })
  const item = asked.data ?? shown
  useStructuredData(
    import.meta.env.SSR &&
      item !== undefined &&
      item !== null &&
      ((origin) => [editorialJsonLd(item, origin), editorialTrail(item, origin)]),
  )
  const { data: newest } = useInfiniteQuery(itemsQuery(kind))
  const isHydrated = useHydrated()
  if (!item) return null
  const pieces = (newest?.pages ?? []).flatMap((page) => page['hydra:member'])
  const own: Own = {
    owner: owner ?? '',
    isKnown: !isAsked || asked.data !== undefined,
    failed: asked.isError,
    busy: asked.isFetching,
    retry: () => void asked.refetch(),
  }
  const isForMembers = item.entityType === 'interview' && own.isKnown && item.access !== 'open'
  const free = isForMembers ? freeToHear(pieces, item) : []
  // The server may have rendered the page days ago, so the events still ahead are known only here.
  const isKnown = kind !== 'discussions' || isHydrated
  const others = pieces.filter((each) => each.id !== item.id && !free.includes(each))
  const more = isKnown ? others.filter((each) => !isPast(each)) : []
  const books = item.entityType === 'article' ? item.relatedBooks : []
  return (
    <>
      <PageHead
        title={item.title}
        description={item.metaDescription || item.shortDescription || item.summary}
        canonical={`/${kind}/${item.slug}`}
        image={item.image}
        type="article"
      />
      {item.entityType === 'article' && <ArticlePage item={item} own={own} />}
      {item.entityType === 'interview' && <PodcastPage item={item} own={own} free={free} />}
      {item.entityType === 'discussion' && <EventPage item={item} own={own} links={links} />}
      {(books.length > 0 || more.length > 0) && (
        <Sections>
          {books.length > 0 && <BookCarousel title="Books in this piece" books={books} />}
          <MorePieces kind={kind} pieces={more} />
        </Sections>
      )}
    </>
  )
}

/** One 66-character column, with date and author at its side from 1200 px on. */
function ArticlePage({ item, own }: { item: EditorialItem; own: Own }) {
  const picture = pictureOf(item)
  const author = authorOf(item)
  return (
    <Wrap>
      <article className={styles.article}>
        <Kicker item={item} />
        <Display as="h1" size="lg" className={styles.title}>
          {item.title}
        </Display>
        {item.summary && <p className={styles.standfirst}>{item.summary}</p>}
        {item.hasAudio && (
          <div className={styles.sound} style={themeStyle(itemTheme(item))}>
            <Recording item={item} own={own} />
          </div>
        )}
        {picture && (
          <figure className={styles.plate}>
            <Cover picture={picture} alt={item.altText} sizes="(min-width: 1040px) 960px, 100vw" hero />
          </figure>
        )}
        <p className={styles.by}>
          {author && <b>{author}</b>}
          <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
        </p>
        <div className={styles.column}>
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          <AfterText item={item} own={own} />
        </div>
      </article>
    </Wrap>
  )
}

interface PodcastPageProps {
  item: EditorialItem
  own: Own
  /** Podcasts that anyone can play, listed next to one for members. */
  free: readonly EditorialCard[]
}

/** The recording first, directly below what it is about; the text follows the voice. */
function PodcastPage({ item, own, free }: PodcastPageProps) {
  const theme = useMemo(() => itemTheme(item), [item])
  useBand(theme)
  const picture = pictureOf(item)
  const author = authorOf(item)
  const books = item.relatedBooks
  const plays = item.audioFile !== null && item.parts.length > 0
  return (
    <article>
      <Band theme={theme} as="div">
        <Wrap className={styles.podcast}>
          <div className={styles.podcastWords}>
            <Kicker item={item} />
            <Display as="h1" size="lg" className={styles.name}>
              {item.title}
            </Display>
            {item.summary && <p className={styles.about}>{item.summary}</p>}
            <p className={styles.who}>
              {author && (
                <>
                  <span>{author}</span>,{' '}
                </>
              )}
              <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
            </p>
            {item.hasAudio && <Recording item={item} own={own} />}
          </div>
          {picture && (
            <figure className={styles.art}>
              {/* A square of a picture that is 3 by 2. */}
              <Cover
                picture={picture}
                alt={item.altText}
                sizes="(min-width: 900px) 576px, 100vw"
                hero
                style={{ aspectRatio: '1' }}
              />
            </figure>
          )}
        </Wrap>
      </Band>
      <Wrap className={styles.below}>
        {plays && <Conversation item={item} />}
        <div className={styles.main}>
          {item.hasAudio ? (
            <Transcript item={item} plays={plays} />
          ) : (
            <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          )}
          <AfterText item={item} own={own} />
        </div>
        {(free.length > 0 || books.length > 0) && (
          <aside className={styles.side}>
            {books.length > 0 && (
              <section aria-labelledby="books">
                <Display as="h2" size="sm" id="books" className={styles.sideTitle}>
                  Books in this piece
                </Display>
                <BookRows books={books} />
              </section>
            )}
            {/* Last, because it disappears for members: nothing moves then. */}
            {free.length > 0 && (
              <section aria-labelledby="free">
                <Display as="h2" size="sm" id="free" className={styles.sideTitle}>
                  Free to hear
                </Display>
                <ul role="list" className={styles.free}>
                  {free.map((each) => (
                    <li key={each.id}>
                      <Link {...linkTo(each)}>
                        {each.title}
                        <span className={styles.freeBy}>{authorOf(each)}</span>
                      </Link>
                      {playItem(each)}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </aside>
        )}
      </Wrap>
    </article>
  )
}

/** The parts of the recording, next to the transcript. On phones the list is above it and opens with a press. */
function Conversation({ item }: { item: EditorialItem }) {
  const list = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className={styles.conversation} aria-label="In this conversation">
      <Display as="h2" size="sm" className={styles.sideTitle}>
        <span className={styles.conversationName}>In this conversation</span>
        <button
          type="button"
          className={styles.conversationOpener}
          aria-expanded={isOpen}
          aria-controls={list}
          onClick={() => setIsOpen(!isOpen)}
        >
          In this conversation
          <span className={styles.conversationCount}>{plural(item.parts.length, 'question')}</span>
          <Icon of={CaretDownIcon} size={18} />
        </button>
      </Display>
      <div id={list} className={styles.conversationList} data-open={isOpen ? '' : undefined}>
        <RecordingParts address={addressOf(item)} seconds={item.audioSeconds ?? 0} parts={item.parts} />
      </div>
    </section>
  )
}

/**
 * The text of a recording. A question with which a part begins has its time, and a press plays it from there. While the
 * recording is loaded, a line marks the part that it has reached.
 */
function Transcript({ item, plays }: { item: EditorialItem; plays: boolean }) {
  const parts = plays ? item.parts : NO_PARTS
  const pieces = useMemo(() => cutAtQuestions(item.main, parts), [item, parts])
  const running = useRunningPart(addressOf(item), parts)
  const isTimed = pieces.some(({ begins }) => begins)
  return (
    <>
      <div className={styles.ruled}>
        <Display as="h2" size="sm">
          Transcript
        </Display>
        {isTimed && <p className="quiet">Press a time to hear it</p>}
      </div>
      {pieces.map(({ question, begins, part, html }, index) => (
        <div
          // The pieces of a text never change their order.
          key={index}
          className={styles.piece}
          data-running={part && part === running ? '' : undefined}
        >
          {question !== undefined && (
            <RecordingQuestion
              address={addressOf(item)}
              question={question}
              part={begins}
              isRunning={begins !== undefined && begins === running}
            />
          )}
          {html.trim() !== '' && <div className={styles.text} dangerouslySetInnerHTML={{ __html: html }} />}
        </div>
      ))}
    </>
  )
}

type Part = EditorialItem['parts'][number]

const NO_PARTS: readonly Part[] = []

/** A question with its answer, or the text before the first question. */
interface Piece {
  /** HTML without tags. */
  readonly question: string | undefined
  /** The part of the recording that begins with the question. */
  readonly begins: Part | undefined
  /** The part in which it is heard. */
  readonly part: Part | undefined
  readonly html: string
}

/** A paragraph in bold is a question. */
const QUESTION = /<p><strong>([^<]+)<\/strong><\/p>/g

function cutAtQuestions(main: string, parts: readonly Part[]): Piece[] {
  const found = [...main.matchAll(QUESTION)]
  const pieces: Piece[] = [
    { question: undefined, begins: undefined, part: undefined, html: main.slice(0, found[0]?.index) },
  ]
  found.forEach((match, index) => {
    const next = parts.find(({ title }) => title === match[1])
    const begins = pieces.some((piece) => piece.begins === next) ? undefined : next
    pieces.push({
      question: match[1],
      begins,
      part: begins ?? pieces.at(-1)?.part,
      html: main.slice(match.index + match[0].length, found[index + 1]?.index),
    })
  })
  return pieces.filter(({ question, html }) => question !== undefined || html.trim() !== '')
}

/** The newest recordings that play without a membership. */
const freeToHear = (pieces: readonly EditorialCard[], { id }: EditorialItem): EditorialCard[] =>
  pieces.filter((each) => each.hasAudio && !each.memberOnly && each.id !== id).slice(0, 3)

/** An event's card doesn't have its end: one of today may still be ahead. */
const isPast = ({ startsAt }: EditorialCard) => isOver({ startsAt, endsAt: null }, new Date())

interface EventPageProps {
  item: EditorialItem
  own: Own
  links: SeatLinks
}

/** When and where, and a seat; then what it is. */
function EventPage({ item, own, links }: EventPageProps) {
  const theme = useMemo(() => itemTheme(item), [item])
  useBand(theme)
  const over = useIsOver(item)
  const author = authorOf(item)
  const withheld = withheldIn(item)
  const books = item.relatedBooks
  return (
    <article>
      <Band theme={theme} as="div">
        <Wrap className={styles.event}>
          <div className={styles.eventWords}>
            <Kicker item={item} />
            <Display as="h1" size="lg" className={styles.name}>
              {item.title}
            </Display>
            {item.summary && <p className={styles.about}>{item.summary}</p>}
            <p className={styles.who}>
              {author && (
                <>
                  {item.startsAt && (over ? 'Written up by ' : 'With ')}
                  <span>{author}</span>
                </>
              )}
              {author && !item.startsAt && ', '}
              {!item.startsAt && <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>}
            </p>
          </div>
          {item.startsAt && (
            <Ticket item={item} startsAt={item.startsAt} theme={theme} over={over} own={own} links={links} />
          )}
        </Wrap>
      </Band>
      <Wrap className={styles.below}>
        <div className={styles.main}>
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          {withheld === 'invitation' ? (
            !item.startsAt &&
            own.isKnown && (
              <MembersBlock
                item={item}
                what={withheld}
                signedIn={own.owner !== ''}
                from={`/${addressOf(item)}`}
              />
            )
          ) : (
            <AfterText item={item} own={own} withoutLink={item.startsAt !== null} />
          )}
        </div>
        {(item.goodToKnow.length > 0 || books.length > 0) && (
          <aside className={styles.side}>
            {item.goodToKnow.length > 0 && (
              <section aria-labelledby="good-to-know" className={styles.goodToKnow}>
                <Display as="h2" size="sm" id="good-to-know" className={styles.sideTitle}>
                  Good to know
                </Display>
                <ul role="list" className={styles.good}>
                  {item.goodToKnow.map((each) => (
                    <li key={each}>
                      <Icon of={CheckIcon} />
                      {each}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {books.length > 0 && (
              <section aria-labelledby="books">
                <Display as="h2" size="sm" id="books" className={styles.sideTitle}>
                  {books.length === 1 ? 'The book' : 'The books'}
                </Display>
                <BookRows books={books} />
              </section>
            )}
          </aside>
        )}
      </Wrap>
    </article>
  )
}

/** The page may have been rendered days ago, so the answer's own word counts until it is hydrated. */
const useIsOver = (item: EditorialItem): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => isOver(item, new Date()),
    () => item.over,
  )
