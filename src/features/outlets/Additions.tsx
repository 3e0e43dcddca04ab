import type { ReactNode } from 'react'
import type { CardAddition } from '#contract/outlets.ts'
import { amount, toMinor } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import styles from './Outlets.module.css'

interface AdditionsProps {
  month: string
  additions: readonly CardAddition[]
  cover: (addition: CardAddition) => ReactNode
  author: (addition: CardAddition) => string
  /** To another month. */
  way: ReactNode
}

/** The titles that came as cards in a month; its mail leads here. */
export const Additions = ({ month, additions, cover, author, way }: AdditionsProps) => (
  <section id="additions" aria-labelledby="new-cards">
    <div className={styles.head}>
      <Display id="new-cards">New cards in {month}</Display>
      {way}
    </div>
    {additions.length === 0 ? (
      <p className={styles.none}>No new titles that month.</p>
    ) : (
      <ul role="list" className={styles.additions}>
        {additions.map((addition) => (
          <li key={addition.id}>
            <span className={styles.cover}>{cover(addition)}</span>
            <span>
              <b>{addition.audioBook.title}</b>
              <small>{author(addition)}</small>
            </span>
            <span>{amount(toMinor(addition.price))}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
)
