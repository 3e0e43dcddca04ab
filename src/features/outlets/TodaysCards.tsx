import type { CardActivation } from '#contract/cards.ts'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { soldToday, timeOf } from './activation.ts'
import { TakeBack } from './TakeBack.tsx'
import { priceOf } from './activation-words.ts'
import styles from './todays-cards.module.css'

interface TodaysCardsProps {
  activations: readonly CardActivation[]
  clockOffsetMs: number
  onTakeBack: (activation: CardActivation) => void
}

/** Cards sold since the shop opened, newest first. */
export function TodaysCards({ activations, clockOffsetMs, onTakeBack }: TodaysCardsProps) {
  const { cards, minor } = soldToday(activations)
  return (
    <section aria-labelledby="today">
      <div className={styles.head}>
        <Display id="today">Today</Display>
        <p>{activations.length > 0 && `${plural(cards, 'card')}, ${amount(minor)}`}</p>
      </div>
      {activations.length === 0 ? (
        <p className={styles.none}>No cards yet today.</p>
      ) : (
        <ol role="list" className={styles.list}>
          {activations.map((activation) => (
            <li key={activation.id} className={activation.activated ? undefined : styles.back}>
              <time dateTime={activation.activatedAt}>{timeOf(activation.activatedAt)}</time>
              <span>
                <b>{activation.audioBook.title}</b>
                <small className="quiet">ends {activation.ending}</small>
              </span>
              <span className={styles.price}>{priceOf(activation)}</span>
              <div className={styles.way}>
                {activation.activated ? (
                  <TakeBack {...{ activation, clockOffsetMs, onTakeBack }} />
                ) : (
                  <small className="quiet">Taken back</small>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
