import type { BookCard } from '#contract/catalogue.ts'
import { PlayButton, SampleButton } from '#features/samples/SampleButton.tsx'
import { clock, spokenClock } from '#format/clock.ts'
import { Band } from '#ui/Band.tsx'
import { cx } from '#ui/cx.ts'
import { themeOf } from './model.ts'
import styles from './sample-bar.module.css'

interface SampleBarProps {
  book: BookCard
  words: string
  /** Left out where the page is the narrator's own. */
  narrators?: string
  className?: string | undefined
}

/** In the place of the sample of a book that the user owns: the book itself. */
export const OwnedBar = ({ book, className }: Pick<SampleBarProps, 'book' | 'className'>) => (
  <Band as="div" theme={themeOf(book)} className={cx(styles.bar, className)}>
    <PlayButton book={book} className={styles.hear} />
    <p>
      <b>Listen to the book</b>
      <span className={styles.from}>
        <em>{book.title}</em> is in your library
      </span>
    </p>
  </Band>
)

/** The sample in the book's colours, with its length: how a person or a publisher sounds. */
export const SampleBar = ({ book, words, narrators, className }: SampleBarProps) => (
  <Band as="div" theme={themeOf(book)} className={cx(styles.bar, className)}>
    <SampleButton book={book} className={styles.hear} />
    <p>
      <b>{words}</b>
      <span className={styles.from}>
        From <em>{book.title}</em>
        {narrators && `, read by ${narrators}`}
      </span>
    </p>
    {'sampleSeconds' in book && book.sampleSeconds && (
      <span className={styles.length} role="img" aria-label={spokenClock(book.sampleSeconds)}>
        {clock(book.sampleSeconds)}
      </span>
    )}
  </Band>
)
