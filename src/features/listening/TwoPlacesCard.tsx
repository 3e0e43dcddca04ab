import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { StopIcon } from '@phosphor-icons/react/dist/csr/Stop'
import type { DatedPlace, TwoPlaces } from '#storage/places-db.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './PlaceCard.module.css'
import { when } from './when.ts'

type Side = 'here' | 'there'

export interface TwoPlacesCardProps {
  question: TwoPlaces
  /** Left out where the title is shown above the card anyway. */
  bookTitle?: string | undefined
  /** Chapter names by number, where they are known. */
  chapterNames?: ReadonlyMap<number, string> | undefined
  nowMs: number
  /** The side whose five seconds are heard. */
  previewed: Side | undefined
  onPreview: (side: Side) => void
  onChoose: (side: Side) => void
  /** Keeps both and asks again another time. */
  onLater: () => void
}

/** This device and another both moved (PLAY-27). Neither is right before the listener says so, and neither is lost. */
export function TwoPlacesCard({ question, bookTitle, nowMs, onLater, ...sides }: TwoPlacesCardProps) {
  const heading = `two-places-${question.slug}`
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h2 id={heading} className={styles.title}>
        You’ve listened in two places
      </h2>
      <p className={styles.soft}>
        {bookTitle ? `That’s ${bookTitle}. ` : ''}No hurry. Hear a little of each if you’re not sure.
      </p>
      <ul role="list" className={styles.places}>
        <PlaceRow side="here" place={question.here} device="This device" nowMs={nowMs} {...sides} />
        <PlaceRow
          side="there"
          place={question.there}
          device={question.there.deviceName ?? 'Another device'}
          nowMs={nowMs}
          {...sides}
        />
      </ul>
      <div className={styles.foot}>
        <p className={styles.soft}>Both stay in your history.</p>
        <button type="button" className={styles.later} onClick={onLater}>
          Later
        </button>
      </div>
    </section>
  )
}

interface PlaceRowProps extends Pick<
  TwoPlacesCardProps,
  'chapterNames' | 'previewed' | 'onPreview' | 'onChoose'
> {
  side: Side
  place: DatedPlace
  device: string
  nowMs: number
}

function PlaceRow({
  side,
  place,
  device,
  chapterNames,
  nowMs,
  previewed,
  onPreview,
  onChoose,
}: PlaceRowProps) {
  const name = chapterNames?.get(place.chapter)
  const isHeard = previewed === side
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.device}>{device}</p>
        <p className={styles.soft}>{name ? `${place.chapter}. ${name}` : `Chapter ${place.chapter}`}</p>
        <p className={styles.soft}>
          <span aria-hidden="true">{clock(place.seconds)}</span>
          <VisuallyHidden>at {spokenClock(place.seconds)}</VisuallyHidden>
          {', '}
          <time dateTime={place.heardAt}>{when(place.heardAt, nowMs)}</time>
        </p>
      </div>
      <button
        type="button"
        className={styles.hear}
        aria-label={isHeard ? 'Stop' : `Hear 5 s from ${side === 'here' ? 'this device' : device}`}
        onClick={() => onPreview(side)}
      >
        <Icon of={isHeard ? StopIcon : PlayIcon} size={20} filled />
        <span>{isHeard ? 'Stop' : 'Hear 5 s'}</span>
      </button>
      <button type="button" className={styles.choose} onClick={() => onChoose(side)}>
        {side === 'here' ? 'Stay here' : 'Go there'}
      </button>
    </li>
  )
}
