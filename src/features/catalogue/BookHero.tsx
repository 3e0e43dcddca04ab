import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { Book, BookCard, Counterpart } from '#contract/catalogue.ts'
import { longDate, monthYear } from '#format/date.ts'
import { isShortRecording, shortLength, spokenLength } from '#format/duration.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import { Band } from '#ui/Band.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { LinkChip } from '#ui/Chip.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { plural } from '#format/plural.ts'
import { Fold } from '#ui/Fold.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './book-page.module.css'
import { BookPrice } from './BookPrice.tsx'
import { coverOf, lengthOf, linkTo, placeOf, secondsOf, styleLink, themeOf } from './model.ts'

interface BookHeroProps {
  book: Book
  /** Without price and facts, which its page has below; the actions say that it is owned. */
  owned: boolean
  actions?: ReactNode
  /** Secondary actions. */
  extras?: ReactNode
}

const stateOf = ({ retired, preorder }: Book) =>
  retired ? 'No longer sold' : `Coming ${longDate(preorder!)}`

export function BookHero({ book, owned, actions, extras }: BookHeroProps) {
  const length = lengthOf(book)
  const facts = [
    book.firstPublished && `First published ${monthYear(book.firstPublished)}`,
    book.language?.title,
  ]
  return (
    <Band theme={themeOf(book)} as="div">
      <Wrap className={cx(styles.hero, owned && styles.owned)}>
        <Cover
          // Another book has another cover, with a name of its own in transitions.
          key={book.slug}
          style={coverPlace('book-cover')}
          picture={coverOf(book)}
          alt={book.coverAlt}
          sizes="(min-width: 1280px) 440px, (min-width: 768px) 34vw, 62vw"
          hero
          className={cx(styles.cover, book.entityType === 'eBook' && styles.upright)}
        />
        <div>
          {book.style && !owned && (
            <LinkChip tone="title" {...styleLink(book, book.style.id)}>
              {book.style.title}
            </LinkChip>
          )}
          <Display as="h1" size="lg" className={styles.title}>
            {book.title}
          </Display>
          <p className={styles.by}>
            <PeopleLinks people={book.authors} />
            {book.narrators.length > 0 && (
              <span>
                Read by <PeopleLinks people={book.narrators} />
              </span>
            )}
          </p>
          {!owned && (
            <>
              <SeriesLines book={book} />
              <p className={styles.meta}>
                {length && (
                  <span>
                    {book.entityType === 'eBook' ? length : <SpokenLength seconds={secondsOf(book)} />}
                  </span>
                )}
                {facts.filter(Boolean).map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
              </p>
            </>
          )}
          {!owned && <ShortRecording book={book} className={styles.short} />}
          {book.sampleOnly && <p className={styles.short}>This demo holds the sample alone.</p>}
          {!owned && (
            <div className={styles.price}>
              {book.retired || book.preorder ? (
                <p className={styles.state}>{stateOf(book)}</p>
              ) : (
                <BookPrice book={book} />
              )}
            </div>
          )}
          {actions && <div className={styles.actions}>{actions}</div>}
          {extras && <div className={styles.extras}>{extras}</div>}
          {book.violence && (
            <p className={styles.caution}>
              <strong>Caution:</strong> this book contains scenes of extreme violence.
            </p>
          )}
        </div>
        {!owned && <BookFacts book={book} />}
      </Wrap>
    </Band>
  )
}

/** Says how much of a demo's book there is to hear; nothing for whole recordings. */
export function ShortRecording({ book, className }: { book: Book; className: string | undefined }) {
  if (book.entityType !== 'audioBook') return null
  const seconds = book.chapters.reduce((sum, { playtime }) => sum + playtime, 0)
  return (
    isShortRecording(seconds, secondsOf(book)) && (
      <p className={className}>
        A short demo recording: you can hear <SpokenLength seconds={seconds} /> of it.
      </p>
    )
  )
}

function BookFacts({ book }: { book: Book }) {
  const other = book.eBook ?? book.audioBook
  const otherIsEBook = book.eBook !== null
  if (!book.translator && !book.publisher && !other && !book.publisherBookLink) return null
  return (
    <dl className={styles.facts}>
      {book.translator && (
        <div>
          <dt>Translated by</dt>
          <dd>{book.translator.fullName}</dd>
        </div>
      )}
      {book.publisher && (
        <div>
          <dt>Publisher</dt>
          <dd>
            <Link to="/publishers/$slug" params={{ slug: book.publisher.slug }}>
              {book.publisher.name}
            </Link>
          </dd>
        </div>
      )}
      {other && (
        <div>
          <dt>{otherIsEBook ? 'Also an e-book' : 'Also an audiobook'}</dt>
          <dd>
            <OtherFormatLink type={otherIsEBook ? 'eBook' : 'audioBook'} other={other} />
          </dd>
        </div>
      )}
      {book.publisherBookLink && (
        <div>
          <dt>On paper</dt>
          <dd>
            <a href={book.publisherBookLink} rel="noopener external">
              {book.publisherBookName ?? 'Buy the physical book'}
            </a>
          </dd>
        </div>
      )}
    </dl>
  )
}

interface OtherFormatLinkProps {
  type: BookCard['entityType']
  /** Pages stored by an earlier release lack the member price. */
  other: Omit<Counterpart, 'subscriptionPrice'> & Partial<Counterpart>
}

/** Price and length of the title in its other format. Members see their own price (ROLE-11). */
export function OtherFormatLink({ type, other }: OtherFormatLinkProps) {
  const isMember = useIsMember()
  const due = (isMember ? other.subscriptionPrice : undefined) ?? other.price
  return (
    <Link {...linkTo({ entityType: type, slug: other.slug })}>
      {[due === 0 ? 'Free' : price(toMinor(due)), lengthOf({ entityType: type, ...other })]
        .filter(Boolean)
        .join(', ')}
    </Link>
  )
}

/** "A, B and C", with links to people's pages. */
const PeopleLinks = ({ people }: { people: BookCard['authors'] }) =>
  people.map(({ fullName, slug }, index) => (
    <Fragment key={fullName}>
      {index > 0 && (index === people.length - 1 ? ' and ' : ', ')}
      {slug ? (
        <Link to="/people/$slug" params={{ slug }} className={styles.person}>
          {fullName}
        </Link>
      ) : (
        fullName
      )}
    </Fragment>
  ))

/** "Book 2 of 5 in The Orrin Quay books". Pages stored before there were series have none. */
function SeriesLines({ book }: { book: Partial<Pick<Book, 'series'>> }) {
  return book.series?.map((place) => {
    const words = placeOf({ series: [place] })
    return (
      <p key={place.slug} className={styles.series}>
        {words ? `${words} in ` : 'Part of '}
        <Link to="/series/$slug" params={{ slug: place.slug }} className={styles.person}>
          {place.title}
        </Link>
      </p>
    )
  })
}

/** Rows of name and value for the book's details; unknown values are left out. */
export const detailsOf = (book: Book): (readonly [string, string])[] =>
  [
    ['Geographical setting', book.locations.map(({ title }) => title).join(', ')],
    ['Subjects', book.tags.map(({ title }) => title).join(', ')],
    ['Category', book.category?.name],
    ['Number', book.spiSIN],
  ].filter((row): row is [string, string] => Boolean(row[1]))

/** Sentences. Pages stored on the device by an earlier release lack them. */
export const accessibilityOf = (book: Book): string[] =>
  'accessibility' in book
    ? [...book.accessibility, book.accessibilitySummary].filter((sentence) => typeof sentence === 'string')
    : []

/** Folded at 100 px (CONST-11). */
export function BookDetails({ book }: { book: Book }) {
  const { chapters } = book
  const rows = detailsOf(book)
  const reading = accessibilityOf(book)
  if (rows.length === 0 && chapters.length === 0 && reading.length === 0) return null
  return (
    <section className={styles.details}>
      <Display as="h2" size="md">
        Details
      </Display>
      <Fold phone={100} desktop={100} more="Show all" less="Show less" of="details">
        <dl className={styles.rows}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {reading.length > 0 && (
            <div className={styles.wide}>
              <dt>Accessibility</dt>
              <dd>
                <ul className={styles.sentences}>
                  {reading.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </dd>
            </div>
          )}
          {chapters.length > 0 && (
            <div className={styles.wide}>
              <dt>Chapters</dt>
              <dd>
                <ol className={styles.chapters}>
                  {chapters.map(({ chapterOrderNumber, chapterTitle, playtime }) => (
                    <li key={chapterOrderNumber}>
                      <span>{chapterTitle}</span>{' '}
                      <span className={styles.length}>
                        <SpokenLength seconds={playtime} />
                      </span>
                    </li>
                  ))}
                </ol>
              </dd>
            </div>
          )}
        </dl>
      </Fold>
    </section>
  )
}

/** `summary` is HTML that the server sanitised when it was saved. Folded at 437 px, on phones at 118 (CONST-11). */
export function BookSummary({ summary, alone = false }: { summary: string; alone?: boolean }) {
  if (!summary) return null
  return (
    <section className={alone ? undefined : styles.summary}>
      <Display as="h2" size="md">
        What it’s about
      </Display>
      <Fold phone={118} desktop={437} of="what it’s about" prose className={styles.text}>
        <div dangerouslySetInnerHTML={{ __html: summary }} />
      </Fold>
    </section>
  )
}

/** A length of sound: abbreviated on screen, in full words for screen readers. */
function SpokenLength({ seconds }: { seconds: number }) {
  const few = Math.max(1, Math.round(seconds))
  return (
    <>
      <span aria-hidden="true">{few < 60 ? `${few} s` : shortLength(seconds)}</span>
      <VisuallyHidden>{few < 60 ? plural(few, 'second') : spokenLength(seconds)}</VisuallyHidden>
    </>
  )
}
