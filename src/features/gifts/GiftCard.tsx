import { useEffect, useState, type ReactNode } from 'react'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { BookCard } from '#contract/catalogue.ts'
import type { PlanId } from '#contract/plans.ts'
import { coverOf, themeOf } from '#features/catalogue/model.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { HOUSE, titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import fir from './fir.svg'
import styles from './gifts.module.css'
import { giftPromise, giftTitle, type Occasion } from './occasions.ts'

/** The preview updates after this pause in typing (docs/design.md, Screens). */
const FOLLOWS_AFTER_MS = 150

/** The brand's colours, and those of a winter evening. */
export const GIFT_COLOURS = {
  gift: HOUSE,
  xmas: titleTheme('17313A', '102630', 'F3E4C8'),
} as const

interface GiftCardProps {
  plan: PlanId
  occasion: Occasion
  recipient: string
  giver: string
  message: string
}

export function GiftCard({ plan, occasion, ...typed }: GiftCardProps) {
  const { recipient, giver, message } = useRested(typed)
  const [length, name] = giftTitle(plan)
  return (
    <Band as="div" theme={GIFT_COLOURS[occasion]} className={styles.card}>
      {occasion === 'xmas' ? (
        <svg className={styles.fir} viewBox="0 0 260 360" aria-hidden="true">
          <use href={`${fir}#birds`} />
        </svg>
      ) : (
        <Flock className={styles.flock} />
      )}
      <p className={styles.from}>{recipient ? `For ${recipient}, from ${giver}` : `From ${giver}`}</p>
      <Display as="p" size="lg" className={styles.what}>
        {length} {name}
      </Display>
      {message.trim() !== '' && <p className={styles.note}>{message}</p>}
      <p className={styles.promise}>{giftPromise(plan)}</p>
    </Band>
  )
}

interface TitleCardProps {
  book: BookCard
  giver: string
  message: string | null
}

/** A title as its recipient will see it. */
export const TitleCard = ({ book, giver, message }: TitleCardProps) => (
  <Band as="div" theme={themeOf(book)} className={styles.titleCard}>
    <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="280px" className={styles.titleCover} />
    <div>
      <p className={styles.from}>A gift from {giver}</p>
      <Display as="p" size="md">
        <i>{book.title}</i>
      </Display>
      {message && <p className={styles.note}>{message}</p>}
    </div>
  </Band>
)

function useRested(typed: Pick<GiftCardProps, 'recipient' | 'giver' | 'message'>) {
  const { recipient, giver, message } = typed
  const [shown, setShown] = useState({ recipient, giver, message })
  useEffect(() => {
    const timer = setTimeout(() => setShown({ recipient, giver, message }), FOLLOWS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [recipient, giver, message])
  return shown
}

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
