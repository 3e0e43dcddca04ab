import type { Book } from '#contract/catalogue.ts'
import { shortLength, spokenLength } from '#format/duration.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { Fold } from '#ui/Fold.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './book-page.module.css'

/** Folded at 100 px (CONST-11). */
export function BookDetails({ book, withChapters = true }: { book: Book; withChapters?: boolean }) {
  const chapters = withChapters ? book.chapters : []
  const rows = [
    ['Geographical setting', book.locations.map(({ title }) => title).join(', ')],
    ['Subjects', book.tags.map(({ title }) => title).join(', ')],
    ['Category', book.category?.name],
    ['Number', book.spiSIN],
  ].filter((row): row is [string, string] => Boolean(row[1]))
  // Pages stored on the device by an earlier release lack it.
  const reading =
    'accessibility' in book ? [...book.accessibility, book.accessibilitySummary].filter(Boolean) : []
  if (rows.length === 0 && chapters.length === 0 && reading.length === 0) return null
  return (
    <section className={withChapters ? styles.details : undefined}>
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
export function SpokenLength({ seconds }: { seconds: number }) {
  const few = Math.max(1, Math.round(seconds))
  return (
    <>
      <span aria-hidden="true">{few < 60 ? `${few} s` : shortLength(seconds)}</span>
      <VisuallyHidden>{few < 60 ? plural(few, 'second') : spokenLength(seconds)}</VisuallyHidden>
    </>
  )
}
