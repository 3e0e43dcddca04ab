import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { useBand, Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './gifts.module.css'

interface OpenedGiftProps {
  theme: TitleTheme
  picture: ReactNode
  recipient?: string | null
  giver: string
  title: ReactNode
  /** The giver's message, as typed: text, never markup. */
  note: string | null
  facts: readonly string[]
  ways: ReactNode
  small: ReactNode
  problem?: string
}

export function OpenedGift(props: OpenedGiftProps) {
  const { theme, picture, recipient, giver, title, note, facts, ways, small, problem } = props
  useBand(theme)
  return (
    <Band theme={theme} as="div" className={styles.ground}>
      <Wrap className={styles.openedGiftGift}>
        {picture}
        <div className={styles.openedGiftWords}>
          {giver && (
            <p className={styles.openedGiftFrom}>
              {recipient ? `${recipient}, this is from ${giver}` : `A gift from ${giver}`}
            </p>
          )}
          <Display as="h1" size="lg">
            {title}
          </Display>
          {note && <blockquote className={styles.openedGiftNote}>{note}</blockquote>}
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

interface GiftNoteProps {
  title: string
  picture?: ReactNode
  giver: string
  message: string | null
}

export const GiftNote = ({ title, picture, giver, message }: GiftNoteProps) => (
  <section className={styles.gift} aria-label={`Your gift, ${title}`}>
    {picture && <div className={styles.cover}>{picture}</div>}
    <div className={styles.words}>
      <Display as="h3" size="sm">
        {title}
      </Display>
      {giver && <p>From {giver}</p>}
      {message && <blockquote className={styles.message}>{message}</blockquote>}
    </div>
  </section>
)
