import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { cx } from '#ui/cx.ts'
import styles from './layout.module.css'

interface PageTopProps {
  title: string
  /** One sentence below the heading. */
  lead?: ReactNode
  /** The sentence has one line where there is room. */
  wide?: boolean
  /** At the right of the heading: a count. */
  aside?: ReactNode
  children?: ReactNode
}

export function PageTop({ title, lead, wide, aside, children }: PageTopProps) {
  return (
    <div className={styles.top}>
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {title}
        </Display>
        {aside}
      </div>
      {lead && (
        <p className={styles.lead} data-wide={wide ? '' : undefined}>
          {lead}
        </p>
      )}
      {children}
    </div>
  )
}

export function Sections({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <Wrap className={cx(styles.sections, className)}>{children}</Wrap>
}

export const MoreLink = createLink((props: ComponentProps<'a'>) => (
  <a {...props} className={buttonClass({ look: 'text' })} />
))
