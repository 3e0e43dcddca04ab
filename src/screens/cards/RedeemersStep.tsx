import type { ReactNode } from 'react'
import type { HeldCode } from '#features/cards/store.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './cards.module.css'

interface RedeemersStepProps {
  heading: string
  held: HeldCode | null
  children: ReactNode
}

/** Coming in, with what waits behind it in view. */
export const RedeemersStep = ({ heading, held, children }: RedeemersStepProps) => (
  <Wrap className={styles.step}>
    <Display as="h1" size="lg">
      {heading}
    </Display>
    {held && (
      <p className={styles.waiting}>
        <span className={styles.thumb}>
          <Cover picture={coverOf(held.audioBook)} alt="" sizes="56px" thumb />
        </span>
        <span>
          <i>{held.audioBook.title}</i> is waiting for you.
        </span>
      </p>
    )}
    {children}
  </Wrap>
)
