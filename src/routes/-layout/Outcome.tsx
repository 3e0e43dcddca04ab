import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './layout.module.css'

interface OutcomeProps {
  /** The page's name for its title, as the heading is a whole sentence. */
  name: string
  title: string
  words?: ReactNode
  /** The ways on. */
  ways?: ReactNode
  children?: ReactNode
  /** It may still change: read out when it does. */
  waiting?: boolean
}

/** The end of something, in one heading and one sentence, and where to go next. */
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
