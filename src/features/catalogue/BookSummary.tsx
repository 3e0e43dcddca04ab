import { Display } from '#ui/Display.tsx'
import { Fold } from '#ui/Fold.tsx'
import styles from './BookSummary.module.css'

/** `summary` is HTML that the server sanitised when it was written. Folded at 437 px, on phones at 118 (CONST-11). */
export function BookSummary({ summary }: { summary: string }) {
  if (!summary) return null
  return (
    <section className={styles.summary}>
      <Display as="h2" size="md">
        What it’s about
      </Display>
      <Fold phone={118} desktop={437} of="what it’s about" prose className={styles.text}>
        <div dangerouslySetInnerHTML={{ __html: summary }} />
      </Fold>
    </section>
  )
}
