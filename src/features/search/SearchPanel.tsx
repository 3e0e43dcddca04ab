import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import type { Murmuration } from '#contract/editorial.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { SeriesSummary } from '#contract/series.ts'
import { authorsOf, coverOf, linkTo } from '#features/catalogue/model.ts'
import {
  authorOf,
  itemIn,
  KIND_WORDS,
  kindOf,
  linkTo as linkToItem,
  pictureOf,
} from '#features/editorial/model.ts'
import { firstShelf, has } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { type CoverPicture, Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { PanelBelow } from '#ui/PanelBelow.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { SearchField, useDebounced } from './KeywordForm.tsx'
import { Marked } from './Marked.tsx'
import { keywordIn } from './model.ts'
import { quickQuery } from './queries.ts'
import styles from './search.module.css'

interface SearchPanelProps {
  /** Shown before a search. */
  shortcuts: ReactNode
  onClose: () => void
}

/** The panel below the header, with the first results while typing. Arrow keys move through them, Enter opens one. */
export function SearchPanel({ shortcuts, onClose }: SearchPanelProps) {
  const [typed, setTyped] = useState('')
  const keyword = keywordIn(useDebounced(typed))
  const asked = keywordIn(typed)
  const { data, isError, error } = useQuery({
    ...quickQuery(keyword ?? ''),
    enabled: keyword !== null,
    placeholderData: keepPreviousData,
  })
  const found = keyword !== null && asked !== null ? data : undefined
  const books = found?.books.map(lineOfBook) ?? []
  const articles = found?.articles.map(lineOfArticle) ?? []
  // The worker may have cached an answer of a release without series.
  const series = (found as Partial<typeof found>)?.series?.map(lineOfSeries) ?? []
  const lines = [...books, ...series, ...articles]
  const [at, setAt] = useState(-1)
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const idOf = (place: number) => `${id}-${place}`

  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    setAt(-1)
    if (found) announce(countWords(found))
  }, [found])

  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && lines.length > 0) {
      event.preventDefault()
      // -1 is the field itself.
      setAt(((at + 1 + step + lines.length + 1) % (lines.length + 1)) - 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (at >= 0) document.getElementById(idOf(at))?.click()
      else if (asked !== null) {
        onClose()
        void navigate({ to: '/search-books', search: { keyword: asked } })
      }
    }
  }
  const group = (title: string, total: number, members: readonly Line[], from: number) =>
    members.length > 0 && (
      <div role="group" aria-label={`${title}, ${total}`} className={styles.group}>
        <span className={styles.title} aria-hidden="true">
          {title} <span className={styles.count}>{total}</span>
        </span>
        {members.map((line, place) => (
          <FoundLine
            key={line.key}
            id={idOf(from + place)}
            line={line}
            keyword={found!.keyword}
            active={at === from + place}
            onOpen={onClose}
          />
        ))}
      </div>
    )

  return (
    <PanelBelow>
      <Wrap className={styles.inside}>
        <div role="search" aria-label={has('journal') ? 'Books and articles' : 'Books'}>
          <SearchField
            ref={input}
            label={has('journal') ? 'Search books and articles' : 'Search books'}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKey}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={lines.length > 0}
            aria-controls={lines.length > 0 ? id : undefined}
            aria-activedescendant={at >= 0 ? idOf(at) : undefined}
          />
        </div>
        {found?.didYouMean && lines.length > 0 && (
          <p className={styles.meant}>
            Nothing found for “{found.keyword}”. Here’s what we have for “{found.didYouMean}”.
          </p>
        )}
        {lines.length > 0 && (
          <div role="listbox" id={id} aria-label="Results" className={styles.found}>
            {group('Books', found!.booksTotal, books, 0)}
            {group('Series', series.length, series, books.length)}
            {group('Articles', found!.articlesTotal, articles, books.length + series.length)}
          </div>
        )}
        {found && (
          <p className={styles.all}>
            {found.booksTotal > books.length && (
              <Link
                to="/search-books"
                search={{ keyword: found.keyword }}
                onClick={onClose}
                className={styles.link}
              >
                Show all {plural(found.booksTotal, 'book')}
              </Link>
            )}
            {found.articlesTotal > articles.length && (
              <Link
                to="/search-articles"
                search={{ keyword: found.keyword }}
                onClick={onClose}
                className={cx(styles.link, series.length === 0 && styles.belowArticles)}
              >
                Show all {plural(found.articlesTotal, 'article')}
              </Link>
            )}
          </p>
        )}
        {found && lines.length === 0 && (
          <p className={styles.nothing}>
            {MESSAGES.noResults}{' '}
            <Link to={firstShelf().to} onClick={onClose} className={styles.link}>
              Visit our collection
            </Link>
          </p>
        )}
        {isError && keyword !== null && (
          <p className={styles.nothing} role="alert">
            {error instanceof NetProblem && error.kind === 'offline'
              ? 'Searching needs a connection.'
              : MESSAGES.somethingWentWrong}
          </p>
        )}
        {!found && !isError && shortcuts}
      </Wrap>
    </PanelBelow>
  )
}

function countWords({ booksTotal, articlesTotal }: { booksTotal: number; articlesTotal: number }): string {
  if (booksTotal + articlesTotal === 0) return MESSAGES.noResults
  if (!has('journal')) return plural(booksTotal, 'book')
  return `${plural(booksTotal, 'book')} and ${plural(articlesTotal, 'article')}`
}

interface Line {
  readonly key: string
  readonly link: Pick<LinkProps, 'to' | 'params'>
  readonly title: string
  readonly detail: string
  readonly picture: CoverPicture | undefined
  readonly format?: BookCard['entityType'] | 'journal'
}

interface FoundLineProps {
  id: string
  line: Line
  keyword: string
  active: boolean
  onOpen: () => void
}

/** An option that is a link, so it can also be opened in a new tab. */
function FoundLine({ id, line, keyword, active, onOpen }: FoundLineProps) {
  const { link, title, detail, picture } = line
  return (
    <Link
      {...link}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onClick={onOpen}
      className={styles.line}
    >
      <span className={styles.picture} data-format={line.format}>
        {picture && <Cover picture={picture} alt="" sizes="56px" eager />}
      </span>
      <span className={styles.words}>
        <span className={styles.lineTitle}>
          <Marked text={title} keyword={keyword} />
        </span>
        <span className="quiet">
          <Marked text={detail} keyword={keyword} />
        </span>
      </span>
    </Link>
  )
}

function lineOfBook(book: BookCard): Line {
  const format = book.entityType === 'audioBook' ? 'Audiobook' : 'E-book'
  return {
    key: `${book.entityType} ${book.id}`,
    link: linkTo(book),
    title: book.title,
    detail: [authorsOf(book), format].filter(Boolean).join(' · '),
    picture: coverOf(book),
    format: book.entityType,
  }
}

const lineOfSeries = ({ slug, title, titles }: SeriesSummary): Line => ({
  key: `series ${slug}`,
  link: { to: '/series/$slug', params: { slug } },
  title,
  detail: `A series of ${plural(titles, 'book')}`,
  picture: undefined,
})

function lineOfArticle(murmuration: Murmuration): Line {
  const item = itemIn(murmuration)!
  return {
    key: `${item.entityType} ${item.id}`,
    link: linkToItem(item),
    title: item.title,
    detail: [authorOf(item), KIND_WORDS[kindOf(item)].one].filter(Boolean).join(' · '),
    picture: pictureOf(item),
    format: 'journal',
  }
}
