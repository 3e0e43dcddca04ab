import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './ComingSoon.module.css'

interface ComingSoonProps {
  title: string
  /** Says what will be here, and what can be done meanwhile. */
  children: ReactNode
  way: { to: string; words: string }
}

/** A page that is not built yet says so, and where else to go, so that no link is dead. */
export function ComingSoon({ title, children, way }: ComingSoonProps) {
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg">
        {title}
      </Display>
      <p className={styles.words}>{children}</p>
      <LinkButton to={way.to} look="solid">
        {way.words}
      </LinkButton>
    </Wrap>
  )
}
