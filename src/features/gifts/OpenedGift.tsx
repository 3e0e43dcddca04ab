import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './OpenedGift.module.css'

interface OpenedGiftProps {
  theme: TitleTheme
  cover: ReactNode
  giver: string
  title: string
  /** The giver's words, as they were written: text, never markup. */
  note: string | null
  /** What it is, and what it costs: one line each. */
  facts: readonly string[]
  ways: ReactNode
  /** In small print below: whom it is for. */
  small: ReactNode
}

/** A gift as the one who gets it first sees it: who gave it, which book, and their words. */
export function OpenedGift({ theme, cover, giver, title, note, facts, ways, small }: OpenedGiftProps) {
  return (
    <Band theme={theme} as="div">
      <Wrap className={styles.gift}>
        <div className={styles.cover}>{cover}</div>
        <div className={styles.words}>
          {giver && <p className={styles.from}>A gift from {giver}</p>}
          <Display as="h1" size="lg">
            <i>{title}</i>
          </Display>
          {note && <blockquote className={styles.note}>{note}</blockquote>}
          <ul role="list" className={styles.facts}>
            {facts.map((fact) => (
              <li key={fact}>
                <Icon of={CheckIcon} size={22} />
                <span>{fact}</span>
              </li>
            ))}
          </ul>
          <div className={styles.ways}>{ways}</div>
          <p className={styles.small}>{small}</p>
        </div>
      </Wrap>
    </Band>
  )
}
