import { useId } from 'react'
import type { AtEnd } from '#features/player/settings.ts'
import styles from './queue.module.css'

const CHOICES: readonly (readonly [AtEnd, string, string])[] = [
  [
    'series',
    'Series',
    'The next of a series first, then the queue. You have ten seconds to say no, and only what you own plays.',
  ],
  ['queue', 'Queue', 'The first of the queue. You have ten seconds to say no, and only what you own plays.'],
  ['silence', 'Silence', 'A book ends, and nothing follows it.'],
]

/** What happens at the end of a book. */
export function EndOfBook({ chosen, onChoose }: { chosen: AtEnd; onChoose: (chosen: AtEnd) => void }) {
  const name = useId()
  return (
    <>
      <fieldset className={styles.choice}>
        <legend>At the end of a book</legend>
        <div className={styles.segments}>
          {CHOICES.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <p className={styles.hint}>{CHOICES.find(([value]) => value === chosen)?.[2]}</p>
    </>
  )
}
