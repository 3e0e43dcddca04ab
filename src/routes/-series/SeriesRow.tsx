import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { AddTitle } from '#features/bag/AddTitle.tsx'
import { PriceLine } from '#features/catalogue/BookPrice.tsx'
import { coverOf, lengthOf, linkTo } from '#features/catalogue/model.ts'
import type { Progress } from '#features/library/model.ts'
import { listenTo } from '#features/player/lazy.ts'
import { CoverButton } from '#features/samples/SampleButton.tsx'
import type { TitleHere } from '#features/series/model.ts'
import { dayAndMonth, longDate } from '#format/date.ts'
import { shortLength } from '#format/duration.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import styles from './series.module.css'

interface SeriesRowProps extends TitleHere {
  /** For an audiobook that was started. */
  progress: (Progress & { readonly heardAtMs?: number | undefined }) | undefined
  /** For an e-book: "34% read". */
  read: string | undefined
  /** Load the cover at once. */
  eager: boolean
  /** The slug of the series. */
  series: string
  online: boolean
}

const SIZES = '(min-width: 768px) 18vw, 96px'

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
        <div className={styles.cover} data-format={book.entityType}>
          <Link {...linkTo(book)} tabIndex={-1} aria-hidden="true">
            <Cover picture={coverOf(book)} alt="" sizes={SIZES} eager={eager} lift />
          </Link>
          {!row.owned && <CoverButton book={book} owned={false} />}
        </div>
      ) : (
        <span className={styles.noCover} aria-hidden="true">
          {title.title}
        </span>
      )}
      <div className={styles.words}>
        <h3 className={styles.title}>{book ? <Link {...linkTo(book)}>{book.title}</Link> : title.title}</h3>
        <RowDetails {...row} />
      </div>
    </li>
  )
}

function RowDetails({ title, book, owned, progress, read, series, online }: SeriesRowProps) {
  if (!owned && (title.comesOut !== null || !book))
    return (
      <>
        <p className={styles.length}>{title.comesOut ? 'Coming soon' : 'We don’t sell this one'}</p>
        {title.comesOut && <p className={styles.state}>Out on {longDate(title.comesOut)}</p>}
        {title.comesOut && (
          <div className={styles.act}>
            <TellMe slug={series} of={title.title} online={online}>
              Tell me
            </TellMe>
          </div>
        )}
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
            <AddTitle book={book} />
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
          label={`Progress in ${title}`}
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

interface ListenTitleProps {
  book: BookCard
  playable: boolean
  progress: Pick<Progress, 'finished'> | undefined
}

function ListenTitle({ book, playable, progress }: ListenTitleProps) {
  const navigate = useNavigate()
  const { slug, title } = book
  if (!playable)
    return (
      <LinkButton {...linkTo(book)} look="text" aria-label={`Open ${title}`}>
        Open
      </LinkButton>
    )
  const listen = () =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  const words = progress?.finished ? 'Listen again' : progress ? 'Continue' : 'Listen'
  return (
    <Button look={progress?.finished ? 'text' : 'quiet'} aria-label={`${words}, ${title}`} onClick={listen}>
      {!progress?.finished && <Icon of={PlayIcon} size={18} filled />}
      {words}
    </Button>
  )
}

const TellMeForm = lazyPart(() => import('./TellMeForm.tsx'), 'TellMeForm')

interface TellMeProps {
  slug: string
  /** The title that is to come, or the series. */
  of: string
  online: boolean
  children: string
}

/** One email when the next title is out. */
export function TellMe({ slug, of, online, children }: TellMeProps) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        aria-label={children === 'Tell me' ? `Tell me when ${of} is out` : undefined}
        disabledReason={online ? undefined : 'Needs a connection'}
        onClick={() => setAsked(true)}
      >
        {children}
      </Button>
      {asked && (
        <Suspense>
          <TellMeForm slug={slug} of={of} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}
