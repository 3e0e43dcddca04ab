import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { ArticleIcon } from '@phosphor-icons/react/dist/csr/Article'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { SortAscendingIcon } from '@phosphor-icons/react/dist/csr/SortAscending'
import { eventInWords } from '#contract/calculations/event-time.ts'
import type { BookCard, Counterpart } from '#contract/catalogue.ts'
import type { EditorialCard } from '#contract/editorial.ts'
import type { SeriesSummary } from '#contract/series.ts'
import { PriceLine } from '#features/catalogue/BookPrice.tsx'
import { useMark, useOwnedTitles } from '#features/catalogue/marks.ts'
import { authorsOf, coverOf, lengthOf, linkTo, placeOf, themeOf } from '#features/catalogue/model.ts'
import { authorOf, KIND_WORDS, kindOf, linkTo as linkToItem, pictureOf } from '#features/editorial/model.ts'
import { Marked } from '#features/search/Marked.tsx'
import { isMarked, type NamedPerson, otherMatch, type Sort } from '#features/search/model.ts'
import { PlayButton, SampleButton } from '#features/samples/SampleButton.tsx'
import { plural } from '#format/plural.ts'
import { titleKey } from '#storage/title-key.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { KeywordForm } from '#features/search/KeywordForm.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Portrait } from '../-people/Portrait.tsx'
import styles from './search.module.css'

interface FoundKindProps {
  title: string
  id?: string
  /** All that were found, more than are shown. */
  count?: number | undefined
  /** The name above the rows, in any window. */
  stacked?: boolean
  children: ReactNode
}

/** One kind of results: its name at the left, on phones above its rows. */
export const FoundKind = ({ title, id, count, stacked, children }: FoundKindProps) => (
  <section className={styles.kind} id={id} aria-label={title} data-stacked={stacked || undefined}>
    <div className={styles.kindName}>
      <Display size="sm">{title}</Display>
      {count !== undefined && <p className="quiet">{count}</p>}
    </div>
    <div>{children}</div>
  </section>
)

/** The part of the text that has a word of the keyword, by the result's id. */
type Excerpts = Readonly<Record<number, string>>

const NO_EXCERPTS: Excerpts = {}

/** An audiobook names its e-book, which has no row of its own then. */
type FoundTitle = BookCard & { readonly eBook?: Counterpart }

interface FoundBooksProps {
  books: readonly FoundTitle[]
  keyword: string
  excerpts: Excerpts
  /** Dimmed while other results load. */
  waiting: boolean
}

export const FoundBooks = ({ books, keyword, excerpts, waiting }: FoundBooksProps) => (
  <ul role="list" aria-label="Titles" className={styles.rows} aria-busy={waiting}>
    {books.map((book, index) => (
      <FoundBook
        key={`${book.entityType}-${book.id}`}
        book={book}
        keyword={keyword}
        excerpt={excerpts[book.id]}
        eager={index < 6}
      />
    ))}
  </ul>
)

interface FoundBookProps {
  book: FoundTitle
  keyword: string
  excerpt: string | undefined
  eager: boolean
}

function FoundBook({ book, keyword, excerpt, eager }: FoundBookProps) {
  const isOwned = useMark(book) === 'owned'
  const length = [book.entityType === 'eBook' && 'e-book', lengthOf(book)].filter(Boolean).join(', ')
  const eBookKey = book.eBook ? titleKey('ebook', book.eBook.slug) : undefined
  const ownsEBook = useOwnedTitles(({ owned }) => eBookKey !== undefined && owned.has(eBookKey))
  const eBook = ownsEBook ? 'e-book in your library' : book.eBook && 'also an e-book'
  const further = [placeOf(book), eBook].filter(Boolean).join(', ')
  const match = otherMatch(book, keyword, excerpt)
  return (
    <li className={styles.row}>
      <Link {...linkTo(book)} className={styles.rowLink} data-found>
        <span className={styles.rowPicture} data-format={book.entityType}>
          <Cover picture={coverOf(book)} alt="" sizes="88px" eager={eager} />
        </span>
        <span className={styles.rowWords}>
          <h3 className={styles.rowTitle}>
            <Marked text={book.title} keyword={keyword} />
          </h3>
          <p className="quiet">
            <span className={styles.author}>
              <Marked text={authorsOf(book)} keyword={keyword} />
              {(length || further) && ','}
            </span>{' '}
            <span className={styles.whole}>
              {length}
              {further && (
                <span className={styles.further}>
                  {length && ', '}
                  {further}
                </span>
              )}
            </span>
          </p>
          {match && (
            <p className={styles.match}>
              <Marked text={match} keyword={keyword} />
            </p>
          )}
        </span>
        <span className={styles.rowPrice}>
          <PriceLine book={book} inRow />
        </span>
      </Link>
      <span className={styles.rowSound}>
        {isOwned ? <PlayButton book={book} words="Play" /> : <SampleButton book={book} words="Sample" />}
      </span>
    </li>
  )
}

interface FoundPeopleProps {
  people: readonly NamedPerson<BookCard>[]
  keyword: string
  /** All results are loaded, so that the books of a person can be counted. */
  complete: boolean
}

export const FoundPeople = ({ people, keyword, complete }: FoundPeopleProps) => (
  <ul role="list" className={styles.rows}>
    {people.map(({ slug, name, works, books }) => (
      <li key={slug} className={styles.row}>
        <Link to="/people/$slug" params={{ slug }} className={styles.rowLink} data-found>
          <span className={cx(styles.rowPicture, styles.drawn)}>
            <Portrait slug={slug} theme={themeOf(books[0]!)} narrates={works !== 'Author'} />
          </span>
          <Words
            title={name}
            detail={complete ? `${works} of ${plural(books.length, 'book')} here` : works}
            keyword={keyword}
          />
          <Icon of={CaretRightIcon} size={20} />
        </Link>
      </li>
    ))}
  </ul>
)

interface FoundSeriesProps {
  series: readonly SeriesSummary[]
  /** The titles found. Some of them belong to these series. */
  books: readonly BookCard[]
  keyword: string
}

export const FoundSeries = ({ series, books, keyword }: FoundSeriesProps) => (
  <ul role="list" aria-label="Series" className={styles.rows}>
    {series.map(({ slug, title, titles }) => {
      const known = books.filter((book) => book.series.some((place) => place.slug === slug))
      const author = known[0] && authorsOf(known[0])
      return (
        <li key={slug} className={styles.row}>
          <Link to="/series/$slug" params={{ slug }} className={styles.rowLink} data-found>
            {known.length > 1 ? (
              <span className={cx(styles.rowPicture, styles.pair)}>
                {known.slice(0, 2).map((book) => (
                  <Cover key={book.id} picture={coverOf(book)} alt="" sizes="56px" />
                ))}
              </span>
            ) : (
              <span className={cx(styles.rowPicture, styles.drawn)}>
                <Icon of={BooksIcon} size={30} />
              </span>
            )}
            <Words
              title={title}
              detail={[`A series of ${plural(titles, 'book')}`, author && `by ${author}`]
                .filter(Boolean)
                .join(' ')}
              keyword={keyword}
            />
            <Icon of={CaretRightIcon} size={20} />
          </Link>
        </li>
      )
    })}
  </ul>
)

interface FoundItemsProps {
  items: readonly EditorialCard[]
  keyword: string
  excerpts?: Excerpts | undefined
  waiting?: boolean
}

export const FoundItems = ({ items, keyword, excerpts = NO_EXCERPTS, waiting = false }: FoundItemsProps) => (
  <ul role="list" aria-label="Journal" className={styles.rows} aria-busy={waiting}>
    {items.map((item) => {
      const picture = pictureOf(item)
      const kind = item.type?.title ?? KIND_WORDS[kindOf(item)].one
      return (
        <li key={`${item.entityType} ${item.id}`} className={styles.row}>
          <Link {...linkToItem(item)} className={styles.rowLink} data-found>
            {picture ? (
              <span className={styles.rowPicture}>
                <Cover picture={picture} alt="" sizes="88px" />
              </span>
            ) : (
              <span className={cx(styles.rowPicture, styles.drawn)}>
                <Icon of={KIND_ICONS[kindOf(item)]} size={30} />
              </span>
            )}
            <Words
              title={item.title}
              detail={[kind, whenOrByWhom(item)].filter(Boolean).join(', ')}
              excerpt={excerpts[item.id]}
              keyword={keyword}
            />
            <Icon of={CaretRightIcon} size={20} />
          </Link>
        </li>
      )
    })}
  </ul>
)

/** An event's day and hour, which matter more than who wrote about it; else the author. */
const whenOrByWhom = (item: EditorialCard) =>
  item.startsAt ? eventInWords(item.startsAt, item.publishedAt) : authorOf(item)

const KIND_ICONS = { articles: ArticleIcon, interviews: MicrophoneIcon, discussions: TicketIcon }

interface WordsProps {
  title: string
  detail: string
  excerpt?: string | undefined
  keyword: string
}

const Words = ({ title, detail, excerpt, keyword }: WordsProps) => (
  <span className={styles.rowWords}>
    <h3 className={styles.rowTitle}>
      <Marked text={title} keyword={keyword} />
    </h3>
    <p className="quiet">
      <Marked text={detail} keyword={keyword} />
    </p>
    {excerpt && !isMarked(detail, keyword) && (
      <p className={styles.match}>
        <Marked text={excerpt} keyword={keyword} />
      </p>
    )}
  </span>
)

/** The arrow keys go from the field through all results, as in the header's panel. */
export function useArrowKeys(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const within = page.current
    const onKey = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (!step || !within) return
      const stops = [...within.querySelectorAll<HTMLElement>('input[type="search"], [data-found]')]
      const at = stops.findIndex((stop) => stop === document.activeElement)
      if (at < 0) return
      event.preventDefault()
      stops[at + step]?.focus()
    }
    within?.addEventListener('keydown', onKey)
    return () => within?.removeEventListener('keydown', onKey)
  }, [page])
}

interface FoundTopProps {
  title: string
  keyword: string
  /** The keyword of the results on screen, which lags behind `keyword`. */
  found: string
  sort: Sort
  /** "12 titles"; null before a search. */
  count: string | null
  /** Results of another kind, which the count leaves out, and the id of their section: "7 in the journal". */
  also?: { readonly words: string; readonly section: string } | undefined
  /** Nothing was found: show the search field without filters and sorting. */
  isEmpty: boolean
  meant?: string | null | undefined
  filters: ReactNode
  /** False for a few results, which need no order. */
  canSort: boolean
  /** With chips the filters have a line of their own on phones. */
  isNarrowed: boolean
  onSearch: (keyword: string) => void
  onSort: (sort: Sort) => void
}

export function FoundTop({
  title,
  keyword,
  found,
  sort,
  count,
  also,
  isEmpty,
  meant,
  filters,
  canSort,
  isNarrowed,
  onSearch,
  onSort,
}: FoundTopProps) {
  return (
    <div className={styles.top}>
      <Display as="h1" size="md" className={styles.name}>
        {title}
      </Display>
      <div className={styles.asked}>
        <KeywordForm
          label={title}
          placeholder="A title, a name, a subject"
          keyword={keyword}
          onSearch={onSearch}
        />
        {/* The words below say the same as the number. */}
        <div className={isEmpty ? 'visually-hidden' : styles.line}>
          <div className={styles.count} data-short={meant ? undefined : ''}>
            <p role="status">
              {count ?? 'Type at least three letters of a title or a name.'}
              {meant && `. Nothing found for “${found.trim()}”. Here’s what we have for “${meant}”.`}
            </p>
            {also && !meant && (
              <p>
                , <a href={`#${also.section}`}>{also.words}</a>
              </p>
            )}
          </div>
          {!isEmpty && (
            <div className={styles.filters} data-chips={isNarrowed || undefined}>
              {filters}
            </div>
          )}
          {canSort && (
            <IconButton
              className={styles.sort}
              label="Sort by name"
              icon={<Icon of={SortAscendingIcon} />}
              aria-pressed={sort === 'name'}
              onClick={() => onSort(sort === 'name' ? 'relevance' : 'name')}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** The way to the search for the other kind. */
export const OtherSearch = ({
  label,
  to,
  keyword,
}: {
  label: string
  to: '/search-books' | '/search-articles'
  keyword: string
}) => (
  <p className={styles.other}>
    <LinkButton look="text" to={to} search={keyword ? { keyword } : {}}>
      {label}
    </LinkButton>
  </p>
)
