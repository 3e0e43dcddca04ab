import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { SortAscendingIcon } from '@phosphor-icons/react/dist/csr/SortAscending'
import type { BookCard } from '#contract/catalogue.ts'
import type { EditorialCard } from '#contract/editorial.ts'
import type { SeriesSummary } from '#contract/series.ts'
import { PriceLine } from '#features/catalogue/BookPrice.tsx'
import { useMark } from '#features/catalogue/marks.ts'
import { authorsOf, coverOf, lengthOf, linkTo, placeOf } from '#features/catalogue/model.ts'
import { authorOf, KIND_WORDS, kindOf, linkTo as linkToItem, pictureOf } from '#features/editorial/model.ts'
import { markedWords, type NamedPerson, type Sort } from '#features/search/model.ts'
import { PlayButton, SampleButton } from '#features/samples/SampleButton.tsx'
import { plural } from '#format/plural.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { KeywordForm } from '#features/search/KeywordForm.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { LinkButton } from '#ui/Button.tsx'
import styles from './search.module.css'

interface FoundKindProps {
  title: string
  /** The name above the rows, in any window. */
  stacked?: boolean
  children: ReactNode
}

/** One kind of results: its name at the left, on phones above its rows. */
export const FoundKind = ({ title, stacked, children }: FoundKindProps) => (
  <section className={styles.kind} aria-label={title} data-stacked={stacked || undefined}>
    <Display size="sm" className={styles.kindName}>
      {title}
    </Display>
    <div>{children}</div>
  </section>
)

interface FoundBooksProps {
  books: readonly BookCard[]
  keyword: string
  /** Dimmed while other results load. */
  waiting: boolean
}

export const FoundBooks = ({ books, keyword, waiting }: FoundBooksProps) => (
  <ul role="list" aria-label="Titles" className={styles.rows} aria-busy={waiting}>
    {books.map((book, index) => (
      <FoundBook key={`${book.entityType}-${book.id}`} book={book} keyword={keyword} eager={index < 6} />
    ))}
  </ul>
)

function FoundBook({ book, keyword, eager }: { book: BookCard; keyword: string; eager: boolean }) {
  const isOwned = useMark(book) === 'owned'
  const place = placeOf(book)
  const length = lengthOf(book)
  return (
    <li className={styles.row}>
      <Link {...linkTo(book)} className={styles.rowLink} data-found>
        <span className={styles.rowPicture} data-format={book.entityType}>
          <Cover
            picture={coverOf(book)}
            alt=""
            sizes="72px"
            thumb={book.entityType === 'audioBook'}
            eager={eager}
          />
        </span>
        <span className={styles.rowWords}>
          <h3 className={styles.rowTitle}>
            <Marked text={book.title} keyword={keyword} />
          </h3>
          <p className="quiet">
            <Marked text={authorsOf(book)} keyword={keyword} />
            {length && <span className={styles.whole}>, {length}</span>}
          </p>
          {place && <p className="quiet">{place}</p>}
        </span>
        <span className={styles.rowPrice}>
          <PriceLine book={book} />
        </span>
      </Link>
      <span className={styles.rowSound}>
        {isOwned ? <PlayButton book={book} /> : <SampleButton book={book} words="Sample" />}
      </span>
    </li>
  )
}

export const FoundPeople = ({ people, keyword }: { people: readonly NamedPerson[]; keyword: string }) => (
  <ul role="list" className={styles.rows}>
    {people.map(({ slug, name, works }) => (
      <li key={slug} className={styles.row}>
        <Link to="/people/$slug" params={{ slug }} className={styles.rowLink} data-found>
          <span className={cx(styles.rowPicture, styles.blank)}>
            <Icon of={UserIcon} size={30} />
          </span>
          <Words title={name} detail={works} keyword={keyword} />
          <Icon of={CaretRightIcon} size={20} />
        </Link>
      </li>
    ))}
  </ul>
)

export const FoundSeries = ({ series, keyword }: { series: readonly SeriesSummary[]; keyword: string }) => (
  <ul role="list" aria-label="Series" className={styles.rows}>
    {series.map(({ slug, title, titles }) => (
      <li key={slug} className={styles.row}>
        <Link to="/series/$slug" params={{ slug }} className={styles.rowLink} data-found>
          <span className={cx(styles.rowPicture, styles.blank)}>
            <Icon of={BooksIcon} size={30} />
          </span>
          <Words title={title} detail={`A series of ${plural(titles, 'book')}`} keyword={keyword} />
          <Icon of={CaretRightIcon} size={20} />
        </Link>
      </li>
    ))}
  </ul>
)

interface FoundItemsProps {
  items: readonly EditorialCard[]
  keyword: string
  waiting?: boolean
}

export const FoundItems = ({ items, keyword, waiting = false }: FoundItemsProps) => (
  <ul role="list" aria-label="Journal" className={styles.rows} aria-busy={waiting}>
    {items.map((item) => {
      const picture = pictureOf(item)
      const kind = item.type?.title ?? KIND_WORDS[kindOf(item)].one
      return (
        <li key={`${item.entityType} ${item.id}`} className={styles.row}>
          <Link {...linkToItem(item)} className={styles.rowLink} data-found>
            <span className={cx(styles.rowPicture, !picture && styles.blank)}>
              {picture && <Cover picture={picture} alt="" sizes="72px" />}
            </span>
            <Words
              title={item.title}
              detail={[kind, authorOf(item)].filter(Boolean).join(', ')}
              keyword={keyword}
            />
            <Icon of={CaretRightIcon} size={20} />
          </Link>
        </li>
      )
    })}
  </ul>
)

const Words = ({ title, detail, keyword }: { title: string; detail: string; keyword: string }) => (
  <span className={styles.rowWords}>
    <h3 className={styles.rowTitle}>
      <Marked text={title} keyword={keyword} />
    </h3>
    <p className="quiet">
      <Marked text={detail} keyword={keyword} />
    </p>
  </span>
)

const Marked = ({ text, keyword }: { text: string; keyword: string }) =>
  markedWords(text, keyword).map(({ words, isMarked }, at) =>
    isMarked ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never move
      <mark key={at} className={styles.marked}>
        {words}
      </mark>
    ) : (
      words
    ),
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
  /** "12 results"; null before a search. */
  count: string | null
  /** Nothing was found: show the search field without filters and sorting. */
  isEmpty: boolean
  meant?: string | null | undefined
  /** The search for the other kind, if the shop has it. */
  other: { label: string; to: '/search-books' | '/search-articles' } | undefined
  onSearch: (keyword: string) => void
  onSort: (sort: Sort) => void
}

export function FoundTop({
  title,
  keyword,
  found,
  sort,
  count,
  isEmpty,
  meant,
  other,
  onSearch,
  onSort,
}: FoundTopProps) {
  return (
    <div className={styles.top}>
      <Display as="h1" size="md" className={styles.name}>
        {title}
      </Display>
      <div className={styles.asked}>
        <KeywordForm label={title} keyword={keyword} onSearch={onSearch} />
        {/* The words below say the same as the number. */}
        <div className={isEmpty ? 'visually-hidden' : styles.line}>
          <p role="status" className={styles.count}>
            {count ?? 'Type at least three letters of a title or a name.'}
            {meant && `. Nothing found for “${found.trim()}”. Here’s what we have for “${meant}”.`}
          </p>
          {!isEmpty && other && (
            <LinkButton look="text" to={other.to} search={keyword ? { keyword } : {}}>
              {other.label}
            </LinkButton>
          )}
          {!isEmpty && count !== null && (
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
