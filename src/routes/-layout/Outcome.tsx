import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './layout.module.css'

interface OutcomeProps {
  /** The document's title; the heading is a whole sentence. */
  name: string
  title: string
  words?: ReactNode
  /** Links to what to do next. */
  ways?: ReactNode
  children?: ReactNode
  /** The message may still change; announce it. */
  waiting?: boolean
}

/** The outcome of something, and what to do next. */
export function Outcome({ name, title, words, ways, children, waiting }: OutcomeProps) {
  return (
    <Wrap className={styles.outcome}>
      <PageHead title={name} hidden />
      <Display as="h1" size="lg">
        {title}
      </Display>
      {words && (
        <p className={styles.words} role={waiting ? 'status' : undefined} aria-busy={waiting || undefined}>
          {words}
        </p>
      )}
      {children}
      {ways && <div className={styles.ways}>{ways}</div>}
    </Wrap>
  )
}
