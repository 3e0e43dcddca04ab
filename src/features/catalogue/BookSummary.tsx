import { Display } from '#ui/Display.tsx'
import styles from './BookSummary.module.css'

/** `summary` is HTML that the server sanitised when it was written. */
export function BookSummary({ summary }: { summary: string }) {
  if (!summary) return null
  return (
    <section className={styles.summary}>
      <Display as="h2" size="md">
        What it’s about
      </Display>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: summary }} />
    </section>
  )
}
