import { useEffect, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { clock } from '#format/clock.ts'
import { cx } from '#ui/cx.ts'
import styles from './todays-cards.module.css'
import { secondsToTakeBack } from './activation.ts'

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
        Take back
      </button>
      {/* Outside the button, whose name would be read out again with every second. */}
      <small className="quiet">{inResult ? `${clock(left)} left` : clock(left)}</small>
    </p>
  )
}

/** One clock for all rows of the day. */
const rows = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function useSeconds(running: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    const tick = () => setNowMs(Date.now())
    rows.add(tick)
    timer ??= setInterval(() => rows.forEach((row) => row()), 1000)
    return () => {
      rows.delete(tick)
      if (rows.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [running])
  return nowMs
}
