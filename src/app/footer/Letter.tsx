import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import styles from './footer.module.css'

/** Says beside the form in the footer what it is for. */
export const Letter = ({ title, words, children }: { title: string; words: string; children: ReactNode }) => (
  <section className={styles.letter} aria-label={title}>
    <div>
      <Display as="h2" size="md">
        {title}
      </Display>
      <p className={styles.words}>{words}</p>
    </div>
    {children}
  </section>
)
