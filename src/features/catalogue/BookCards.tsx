import { BookOpenTextIcon } from '@phosphor-icons/react/dist/csr/BookOpenText'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { firstSentence } from '#contract/calculations/plain-text.ts'
import type { BookCard as Book, BookCard } from '#contract/catalogue.ts'
import { CoverButton, SampleButton } from '#features/samples/SampleButton.tsx'
import { price, toMinor } from '#format/money.ts'
import { titleKey } from '#storage/title-key.ts'
import { Carousel } from '#ui/Carousel.tsx'
import { CAROUSEL_SIZES, GRID_SIZES, Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { PriceLine } from './BookPrice.tsx'
import styles from './books.module.css'
import { useMark, useOwnedTitles } from './marks.ts'
import { authorsOf, coverOf, lengthOf, linkTo, narratorsOf, placeOf, themeOf } from './model.ts'

interface BookCardProps {
  book: Book
  sizes: string
  level?: 'h2' | 'h3'
  withLength?: boolean
  /** Without its place in a series. */
  short?: boolean | undefined
  /** Load the cover at once. */
  eager?: boolean
  /** Drawn as a card that bookshops sell, at the price that they ask of everybody. */
  asCard?: boolean | undefined
}

/** Memoised, so that a long list isn't rendered again when something near it changes. */
const BookCard = memo(function BookCard({
  book,
  sizes,
  level: Heading = 'h3',
  withLength,
  short,
  eager,
  asCard = false,
}: BookCardProps) {
  const length = withLength ? lengthOf(book) : ''
  const place = short ? '' : placeOf(book)
  const owned = useMark(book) === 'owned'
  return (
    <div className={styles.card}>
      <Link {...linkTo(book)} className={styles.link}>
        <span
          className={asCard ? styles.printed : undefined}
          style={asCard ? themeStyle(themeOf(book)) : undefined}
        >
          <span className={styles.cover} data-format={book.entityType}>
            <Cover
              picture={coverOf(book)}
              alt=""
              sizes={sizes}
              lift={!asCard}
              eager={eager}
              dim={(!book.published || book.geoBlocked) && !owned}
            />
          </span>
          {asCard && (
            <span className={styles.cardPanel}>
              <b>An audiobook in a card</b>
              {narratorsOf(book) && <span>Read by {narratorsOf(book)}</span>}
            </span>
          )}
        </span>
        <Heading className={styles.title}>{book.title}</Heading>
        <p className={styles.author}>
          {authorsOf(book)}
          {length && (
            <>
              , <span className={styles.whole}>{length}</span>
            </>
          )}
          {book.inStep && !asCard && (
            <>
              {' '}
              <InStep />
            </>
          )}
        </p>
        {place && <p className={styles.author}>{place}</p>}
        {asCard && book.published && !book.geoBlocked && !owned ? (
          <CardPrice book={book} />
        ) : (
          <PriceLine book={book} />
        )}
      </Link>
      <CoverButton book={book} owned={owned} below />
    </div>
  )
})

/** The full price, which members pay too. */
const CardPrice = ({ book }: { book: Book }) => (
  <p className={styles.price}>
    <span>
      {price(toMinor(book.price))}
      <span className={styles.inBookshops}> in bookshops</span>
    </span>
  </p>
)

/** Its formats can be read and listened to in step. */
const InStep = () => (
  <span className={styles.inStep}>
    <Icon of={BookOpenTextIcon} size={16} />
    <span>
      <VisuallyHidden>Read and listen in step</VisuallyHidden>
      <span aria-hidden="true" className={styles.inStepWords}>
        In step
      </span>
    </span>
  </span>
)

/** The covers of the first row and a half load at once, the rest lazily. */
const EAGER = 4

interface BookGridProps {
  books: readonly Book[]
  /** Dimmed while other results load. */
  waiting?: boolean
  /** Fewer in a row, for a page with the filter panel open. */
  narrow?: boolean
  asCards?: boolean
}

export function BookGrid({ books, waiting, narrow, asCards }: BookGridProps) {
  return (
    <ul
      role="list"
      className={styles.grid}
      data-waiting={waiting ? '' : undefined}
      data-narrow={narrow ? '' : undefined}
      aria-busy={waiting}
    >
      {books.map((book, index) => (
        <li key={`${book.entityType}-${book.id}`}>
          <BookCard
            book={book}
            sizes={GRID_SIZES}
            level="h2"
            withLength
            eager={index < EAGER}
            asCard={asCards}
            short={asCards}
          />
        </li>
      ))}
    </ul>
  )
}

interface BookCarouselProps {
  title: string
  books: readonly Book[]
  more?: ReactNode
  /** One line below each title, so that no card keeps room for lines that only a card further on has. */
  short?: boolean
}

export function BookCarousel({ title, books, more, short }: BookCarouselProps) {
  if (books.length === 0) return null
  return (
    <Carousel title={title} more={more}>
      {books.map((book) => (
        <BookCard key={`${book.entityType}-${book.id}`} book={book} sizes={CAROUSEL_SIZES} short={short} />
      ))}
    </Carousel>
  )
}

interface PublisherCardProps {
  publisher: { readonly name: string; readonly slug: string; readonly about: string | null }
  level?: 'h2' | 'h3'
}

export function PublisherCard({ publisher, level: Heading = 'h3' }: PublisherCardProps) {
  return (
    <Link to="/publishers/$slug" params={{ slug: publisher.slug }} className={styles.publisher}>
      <Heading className={styles.name}>{publisher.name}</Heading>
      {publisher.about && <p className={styles.about}>{firstSentence(publisher.about)}</p>}
    </Link>
  )
}

interface BookRowsProps {
  books: readonly BookCard[]
  level?: 'h2' | 'h3'
  /** With the price in a column of its own, where there is room for it. */
  wide?: boolean
  /** On an author's page, where rows name the narrator instead. */
  ofAuthor?: boolean
  /** E-books by slug: the row of the same title's audiobook names them. */
  eBooks?: ReadonlyMap<string, BookCard>
}

const NO_EBOOKS: ReadonlyMap<string, BookCard> = new Map()

/** A ruled list: cover, names and length, price and sample. */
export const BookRows = ({
  books,
  level = 'h3',
  wide,
  ofAuthor = false,
  eBooks = NO_EBOOKS,
}: BookRowsProps) => (
  <ul role="list" className={styles.rows} data-wide={wide ? '' : undefined}>
    {books.map((book) => (
      <BookRow
        key={`${book.entityType}-${book.id}`}
        book={book}
        level={level}
        ofAuthor={ofAuthor}
        eBook={eBooks.get(book.slug)}
      />
    ))}
  </ul>
)

interface BookRowProps extends Required<Pick<BookRowsProps, 'level' | 'ofAuthor'>> {
  book: BookCard
  eBook: BookCard | undefined
}

function BookRow({ book, level: Heading, ofAuthor, eBook }: BookRowProps) {
  const owned = useMark(book) === 'owned'
  const narrators = narratorsOf(book)
  const names = ofAuthor ? narrators && `Read by ${narrators}` : authorsOf(book)
  return (
    <li className={styles.bookRow}>
      <Link
        {...linkTo(book)}
        className={styles.rowCover}
        data-format={book.entityType}
        tabIndex={-1}
        aria-hidden="true"
      >
        <Cover picture={coverOf(book)} alt="" sizes="96px" lift />
      </Link>
      <div>
        <Heading className={styles.rowTitle}>
          <Link {...linkTo(book)}>{book.title}</Link>
        </Heading>
        <p className={styles.author}>
          {[names, lengthOf(book)].filter(Boolean).join(', ')}
          {eBook && (
            <>
              , <EBookLink eBook={eBook} inStep={book.inStep} />
            </>
          )}
        </p>
        {book.inStep && !eBook && (
          <p>
            <InStep />
          </p>
        )}
        {book.about ? (
          <p className={cx(styles.rowWords, styles.rowAbout)}>{book.about}</p>
        ) : (
          book.bookseller && (
            <p className={styles.rowWords}>
              “{book.bookseller.words}” <small className={styles.rowBy}>{book.bookseller.name}</small>
            </p>
          )
        )}
      </div>
      <div className={styles.rowPrice}>
        <PriceLine book={book} inRow />
        <SampleButton book={book} owned={owned} words="Sample" />
      </div>
    </li>
  )
}

interface EBookLinkProps {
  eBook: Pick<BookCard, 'slug'>
  inStep: boolean
}

/** From the row of an audiobook to its e-book. */
function EBookLink({ eBook: { slug }, inStep }: EBookLinkProps) {
  const isOwned = useOwnedTitles(({ owned }) => owned.has(titleKey('ebook', slug)))
  return (
    <Link to="/ebooks/$slug" params={{ slug }} className={styles.also}>
      {isOwned ? 'e-book in your library' : 'also an e-book'}
      {inStep && ', in step'}
    </Link>
  )
}
