import type { ReactNode } from 'react'
import type { StoredCode } from '#features/cards/store.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './cards.module.css'

interface RedeemersStepProps {
  heading: string
  stored: StoredCode | null
  children: ReactNode
}

/** Coming in, with what waits behind it in view. */
export const RedeemersStep = ({ heading, stored, children }: RedeemersStepProps) => (
  <Wrap className={styles.step}>
    <Display as="h1" size="lg">
      {heading}
    </Display>
    {stored && (
      <p className={styles.waiting}>
        <span className={styles.thumb}>
          <Cover picture={coverOf(stored.audioBook)} alt="" sizes="56px" thumb />
        </span>
        <span>
          <i>{stored.audioBook.title}</i> is waiting for you.
        </span>
      </p>
    )}
    {children}
  </Wrap>
)
