import type { ReactNode } from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './ErrorScreen.module.css'

interface ErrorScreenProps {
  title: string
  /** The document title, if it differs from the heading. */
  name?: string | undefined
  /** After a client-side navigation: appears after 300 ms. */
  late?: boolean | undefined
  children?: ReactNode | undefined
  actions: ReactNode
}

export function ErrorScreen({ title, name = title, late, children, actions }: ErrorScreenProps) {
  return (
    <>
      <title>{`${name} | ${shop().name}`}</title>
      <Wrap className={cx(styles.screen, late && styles.late)}>
        <Flock cropped className={styles.flock} />
        <Display as="h1" size="lg" className={styles.title}>
          {title}
        </Display>
        <div className={styles.words}>{children}</div>
        <div className={styles.actions}>{actions}</div>
      </Wrap>
    </>
  )
}
