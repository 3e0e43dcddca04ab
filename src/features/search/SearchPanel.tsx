import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import type { Murmuration } from '#contract/editorial.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { SeriesSummary } from '#contract/series.ts'
import { firstShelf, has } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { type CoverPicture, Cover } from '#ui/Cover.tsx'
import { PanelBelow } from '#ui/PanelBelow.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { SearchField, useDebounced } from './KeywordForm.tsx'
import { keywordIn } from './model.ts'
import { quickQuery } from './queries.ts'
import styles from './search.module.css'

interface SearchPanelProps {
  /** Shown before anything is looked for. */
  shortcuts: ReactNode
  lineOfBook: (book: BookCard) => Line
  lineOfArticle: (item: Murmuration) => Line
  lineOfSeries: (series: SeriesSummary) => Line
  onClose: () => void
}

/** Below the header: the first books and articles while somebody types. Arrows walk them, Enter opens. */
export function SearchPanel({
  shortcuts,
  lineOfBook,
  lineOfArticle,
  lineOfSeries,
  onClose,
}: SearchPanelProps) {
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
  // An answer that the worker kept may be of a release that had none.
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
      // Beyond either end lies the field itself.
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
                className={styles.link}
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

/** A book or an article as one line. */
interface Line {
  readonly key: string
  readonly link: Pick<LinkProps, 'to' | 'params'>
  readonly title: string
  /** Author and format, or kind. */
  readonly detail: string
  readonly picture: CoverPicture | undefined
}

interface FoundLineProps {
  id: string
  line: Line
  active: boolean
  onOpen: () => void
}

/** An option of the panel's list that is a link: it can be opened in a new tab as well. */
function FoundLine({ id, line: { link, title, detail, picture }, active, onOpen }: FoundLineProps) {
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
      <span className={styles.picture}>
        {picture && <Cover picture={picture} alt="" sizes="72px" thumb={picture.thumb !== undefined} eager />}
      </span>
      <span className={styles.words}>
        <span className={styles.lineTitle}>{title}</span>
        <span className="quiet">{detail}</span>
      </span>
    </Link>
  )
}
