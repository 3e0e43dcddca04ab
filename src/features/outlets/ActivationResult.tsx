import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import styles from './ActivationResult.module.css'
import type { Sold } from './activation.ts'
import { ACTIVATED, explanationOf, headingOf, notYetWords, priceOf } from './activation-words.ts'
import { CounterHelp } from './CounterHelp.tsx'

interface ActivationResultProps {
  sold: Sold
  cover: ReactNode
  /** The way to take it back, while that is possible. */
  takeBack: ReactNode
}

/** The outcome for a card, to be read from a step away; `announce` says it aloud. */
export function ActivationResult({ sold, cover, takeBack }: ActivationResultProps) {
  if (sold.kind === 'activated') {
    const { audioBook, ending } = sold.activation
    return (
      <div className={cx(styles.result, styles.activated)}>
        <span className={styles.sign}>
          <Icon of={CheckIcon} size={34} />
        </span>
        <div>
          <Display size="lg">{ACTIVATED}</Display>
          <p className={styles.title}>
            {audioBook.title}, {priceOf(sold.activation)}
          </p>
          <p className={styles.more}>It ends {ending}. Hand it over; it can be redeemed now.</p>
          {takeBack}
        </div>
        <div className={styles.cover}>{cover}</div>
      </div>
    )
  }
  const already = sold.kind === 'already'
  return (
    <div className={cx(styles.result, already ? styles.already : styles.refused)}>
      <span className={styles.sign}>
        <Icon of={already ? ArrowUUpLeftIcon : XIcon} size={30} />
      </span>
      <div>
        <Display size="lg">{headingOf(sold)}</Display>
        <p className={styles.more}>{explanationOf(sold)}</p>
        {notYetWords(sold) && <p className={cx(styles.more, styles.notYet)}>{notYetWords(sold)}</p>}
        {sold.kind === 'unknown' && (
          <p className={cx(styles.more, styles.soft)}>
            Still no luck? Keep this card aside and get in touch: <CounterHelp />
          </p>
        )}
        <p className={styles.answer}>
          {'code' in sold && <span className={styles.code}>{sold.code}</span>}
          {sold.words}
        </p>
      </div>
    </div>
  )
}
