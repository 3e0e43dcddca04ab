import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { coverOf, lengthOf, linkTo } from '#features/catalogue/model.ts'
import { PriceLine } from '#features/catalogue/BookPrice.tsx'
import type { Progress } from '#features/library/model.ts'
import { dayAndMonth, longDate } from '#format/date.ts'
import { shortLength } from '#format/duration.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { AddTitle } from './AddTitle.tsx'
import { ListenTitle } from './ListenTitle.tsx'
import type { TitleHere } from './model.ts'
import styles from './series.module.css'

interface SeriesRowProps extends TitleHere {
  /** Of an audiobook; undefined where nothing of it was heard. */
  progress: (Progress & { readonly heardAtMs?: number | undefined }) | undefined
  /** Of an e-book: "34% read". */
  read: string | undefined
  /** Above the first fold. */
  eager: boolean
  /** For a title that is to come. */
  tellMe?: ReactNode
  onAdded?: ((book: BookCard) => void) | undefined
}

const SIZES = '(min-width: 768px) 18vw, 96px'

/** A title of a series: its number, and what of it is owned, heard, missing or to come. */
export function SeriesRow(row: SeriesRowProps) {
  const { title, book, eager } = row
  return (
    <li className={styles.row}>
      <span className={styles.number}>
        {title.number && (
          <>
            <span className="visually-hidden">Book </span>
            {title.number}
          </>
        )}
      </span>
      {book ? (
        <Link
          {...linkTo(book)}
          className={styles.cover}
          data-format={book.entityType}
          tabIndex={-1}
          aria-hidden="true"
        >
          <Cover picture={coverOf(book)} alt="" sizes={SIZES} eager={eager} lift />
        </Link>
      ) : (
        <span className={styles.noCover} aria-hidden="true">
          {title.title}
        </span>
      )}
      <div className={styles.words}>
        <h3 className={styles.title}>{book ? <Link {...linkTo(book)}>{book.title}</Link> : title.title}</h3>
        <Words {...row} />
      </div>
    </li>
  )
}

function Words({ title, book, owned, progress, read, tellMe, onAdded }: SeriesRowProps) {
  if (!owned && (title.comesOut !== null || !book))
    return (
      <>
        <p className={styles.length}>{title.comesOut ? 'To come' : 'Not in this shop'}</p>
        {title.comesOut && <p className={styles.state}>Out on {longDate(title.comesOut)}</p>}
        {title.comesOut && <div className={styles.act}>{tellMe}</div>}
      </>
    )
  if (!book) return null
  const length = lengthOf(book)
  return (
    <>
      {length && <p className={styles.length}>{length}</p>}
      {owned ? (
        <>
          <Heard title={book.title} progress={progress} read={read} />
          <div className={styles.act}>
            <ListenTitle
              book={book}
              playable={title.chapterSeconds.length > 0 && book.entityType === 'audioBook'}
              progress={progress}
            />
          </div>
        </>
      ) : (
        <>
          <PriceLine book={book} />
          <div className={styles.act}>
            <AddTitle book={book} onAdded={onAdded} />
          </div>
        </>
      )}
    </>
  )
}

function Heard({
  title,
  progress,
  read,
}: Pick<SeriesRowProps, 'progress' | 'read'> & { readonly title: string }) {
  if (progress && !progress.finished) {
    const left = `${shortLength(Math.max(60, progress.secondsLeft))} left`
    return (
      <>
        <ProgressLine
          share={progress.share}
          label={`Heard of ${title}`}
          valueText={left}
          className={styles.line}
        />
        <p className={styles.state}>{left}</p>
      </>
    )
  }
  const on = progress?.heardAtMs
  const words = progress
    ? `Finished${on ? ` on ${dayAndMonth(new Date(on).toISOString())}` : ''}`
    : (read ?? 'In your library')
  return (
    <p className={styles.state}>
      <Icon of={CheckIcon} size={20} className={styles.tick} />
      {words}
    </p>
  )
}
