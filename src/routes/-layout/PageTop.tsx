import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import styles from './layout.module.css'

interface PageTopProps {
  title: string
  /** One sentence below the heading. */
  lead?: string
  /** Beside the heading: a count. */
  aside?: ReactNode
  children?: ReactNode
}

/** Heading, one sentence and controls: the top of every page on paper. */
export function PageTop({ title, lead, aside, children }: PageTopProps) {
  return (
    <div className={styles.top}>
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {title}
        </Display>
        {aside}
      </div>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </div>
  )
}
