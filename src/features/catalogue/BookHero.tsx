import type { ReactNode } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { longDate, monthYear } from '#format/date.ts'
import { isShortRecording } from '#format/duration.ts'
import { Band } from '#ui/Band.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { LinkChip } from '#ui/Chip.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { BookFacts } from './BookFacts.tsx'
import { BookPrice } from './BookPrice.tsx'
import styles from './BookHero.module.css'
import { coverOf, lengthOf, secondsOf, styleLink, themeOf } from './model.ts'
import { PeopleLinks } from './PeopleLinks.tsx'
import { SeriesLines } from './SeriesLines.tsx'
import { SpokenLength } from './SpokenLength.tsx'

interface BookHeroProps {
  book: Book
  owned: boolean
  /** Play, sample, download, buy: what this reader can do now. */
  actions?: ReactNode
  /** Quieter ways below: sample text, sharing, back. */
  extras?: ReactNode
}

/** What stands in the place of a price. */
function stateOf({ retired, preorder }: Book, owned: boolean): string {
  if (owned) return retired ? 'In your library. It’s no longer sold, and stays yours.' : 'In your library'
  return retired ? 'No longer sold' : `Coming ${longDate(preorder!)}`
}

/** The band of a book page: cover, title, people, length, price, actions, facts. */
export function BookHero({ book, owned, actions, extras }: BookHeroProps) {
  const length = lengthOf(book)
  const sound =
    book.entityType === 'audioBook' ? book.chapters.reduce((sum, { playtime }) => sum + playtime, 0) : 0
  const facts = [
    book.firstPublished && `First published ${monthYear(book.firstPublished)}`,
    book.language?.title,
  ]
  return (
    <Band theme={themeOf(book)} as="div">
      <Wrap className={styles.hero}>
        <Cover
          picture={coverOf(book)}
          alt={book.coverAlt}
          sizes="(min-width: 1280px) 440px, (min-width: 768px) 34vw, 62vw"
          hero
          className={styles.cover}
        />
        <div>
          {book.style && (
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
          <SeriesLines book={book} />
          <p className={styles.meta}>
            {length && (
              <span>{book.entityType === 'eBook' ? length : <SpokenLength seconds={secondsOf(book)} />}</span>
            )}
            {facts.filter(Boolean).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          {isShortRecording(sound, secondsOf(book)) && (
            <p className={styles.short}>
              A short demo recording: you can hear <SpokenLength seconds={sound} /> of it.
            </p>
          )}
          {book.sampleOnly && <p className={styles.short}>This demo holds the sample alone.</p>}
          <div className={styles.price}>
            {owned || book.retired || book.preorder ? (
              <p className={styles.state}>{stateOf(book, owned)}</p>
            ) : (
              <BookPrice book={book} />
            )}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
          {extras && <div className={styles.extras}>{extras}</div>}
          {book.violence && (
            <p className={styles.caution}>
              <strong>Caution:</strong> this book contains scenes of extreme violence.
            </p>
          )}
        </div>
        <BookFacts book={book} />
      </Wrap>
    </Band>
  )
}
