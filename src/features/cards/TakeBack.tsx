import { useEffect, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { clock } from '#format/clock.ts'
import { cx } from '#ui/cx.ts'
import styles from './TakeBack.module.css'
import { secondsToTakeBack } from './desk-model.ts'

interface TakeBackProps {
  activation: CardActivation
  /** The shop's clock less this one, in milliseconds. */
  clockOffsetMs: number
  onTakeBack: (activation: CardActivation) => void
  /** On a panel in a title's colours, with the time in its words. */
  inResult?: boolean
}

/** Counts down, and goes (a card that was redeemed can't be taken back either). */
export function TakeBack({ activation, clockOffsetMs, onTakeBack, inResult }: TakeBackProps) {
  const nowMs = useSeconds(activation.takeBackUntil !== null) + clockOffsetMs
  const left = secondsToTakeBack(activation, nowMs)
  if (left === null) return null
  return (
    <p className={cx(styles.takeBack, inResult && styles.inResult)}>
      <button
        type="button"
        aria-label={
          inResult ? undefined : `Take back ${activation.audioBook.title}, ends ${activation.ending}`
        }
        onClick={() => onTakeBack(activation)}
      >
        {inResult ? `Take back, ${clock(left)} left` : 'Take back'}
      </button>
      {!inResult && <small>{clock(left)}</small>}
    </p>
  )
}

function useSeconds(running: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return nowMs
}
