import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { Band } from '#ui/Band.tsx'
import { useBand } from '#ui/band.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './OpenedGift.module.css'

interface OpenedGiftProps {
  theme: TitleTheme
  /** A book's cover, or the flock. */
  picture: ReactNode
  recipient?: string | null
  giver: string
  title: ReactNode
  /** The giver's words, as they were written: text, never markup. */
  note: string | null
  /** The meaning of the gift and its cost: one line each. */
  facts: readonly string[]
  ways: ReactNode
  /** In small print below: whom it is for. */
  small: ReactNode
  /** Why it couldn't be claimed. */
  problem?: string
}

/** A gift as the one who gets it first sees it: who gave it, what it is, and their words. */
export function OpenedGift(props: OpenedGiftProps) {
  const { theme, picture, recipient, giver, title, note, facts, ways, small, problem } = props
  useBand(theme)
  return (
    <Band theme={theme} as="div" className={styles.ground}>
      <Wrap className={styles.gift}>
        {picture}
        <div className={styles.words}>
          {giver && (
            <p className={styles.from}>
              {recipient ? `${recipient}, this is from ${giver}` : `A gift from ${giver}`}
            </p>
          )}
          <Display as="h1" size="lg">
            {title}
          </Display>
          {note && <blockquote className={styles.note}>{note}</blockquote>}
          <ul role="list" className={styles.facts}>
            {facts.map((fact) => (
              <li key={fact}>
                <Icon of={CheckIcon} />
                <span>{fact}</span>
              </li>
            ))}
          </ul>
          {problem && (
            <p role="alert" className={styles.problem}>
              {problem}
            </p>
          )}
          {ways && <div className={styles.ways}>{ways}</div>}
          <div className={styles.small}>{small}</div>
        </div>
      </Wrap>
    </Band>
  )
}
