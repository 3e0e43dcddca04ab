import type { KeptPlace, TwoPlaces } from '#device/places-db.ts'
import { clock, spokenClock } from '#format/duration.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './TwoPlacesCard.module.css'
import { when } from './when.ts'

interface TwoPlacesCardProps {
  question: TwoPlaces
  bookTitle: string
  /** Chapter names by number, where they are known. */
  chapterNames?: ReadonlyMap<number, string>
  nowMs: number
  onChoose: (choice: 'here' | 'there') => void
}

/** This device and another both moved (PLAY-27). Neither is right before the listener says so, and neither is lost. */
export function TwoPlacesCard({ question, bookTitle, chapterNames, nowMs, onChoose }: TwoPlacesCardProps) {
  const name = (place: KeptPlace) => chapterNames?.get(place.chapter) ?? `Chapter ${place.chapter}`
  return (
    <section className={styles.card} aria-labelledby={`two-places-${question.slug}`}>
      <Display as="h2" size="sm">
        <span id={`two-places-${question.slug}`}>You were in two places</span>
      </Display>
      <p className={styles.help}>{bookTitle} was heard here and somewhere else. Where shall it go on?</p>
      <div className={styles.places}>
        {(['here', 'there'] as const).map((side) => {
          const place = question[side]
          return (
            <div key={side} className={styles.place}>
              <p className={styles.device}>{side === 'here' ? 'This device' : 'Another device'}</p>
              <p className={styles.chapter}>{name(place)}</p>
              <p className={styles.time}>
                <span aria-hidden="true">{clock(place.seconds)}</span>
                <span className={styles.spoken}>at {spokenClock(place.seconds)}</span>
                {', '}
                <time dateTime={place.heardAt}>{when(place.heardAt, nowMs)}</time>
              </p>
              <Button look={side === 'here' ? 'solid' : 'quiet'} block onClick={() => onChoose(side)}>
                {side === 'here' ? 'Go on from here' : 'Go on from there'}
              </Button>
            </div>
          )
        })}
      </div>
      <p className={styles.help}>The other place stays in the history.</p>
    </section>
  )
}
