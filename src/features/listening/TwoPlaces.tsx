import { useListeningStore, putOffQuestion } from './store.ts'
import { usePlayer } from '#features/player/store.ts'
import styles from './listening.module.css'
import { useEffect, useRef, useState } from 'react'
import type { TwoPlaces, DatedPlace } from '#storage/places-db.ts'
import { openedListening } from './lazy.ts'
import { thePlayer } from '#features/player/lazy.ts'
import { previewPlace } from '#features/player/preview.ts'
import { useTitleNames } from './queries.ts'
import { useNow } from '#ui/use-now.ts'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { StopIcon } from '@phosphor-icons/react/dist/csr/Stop'
import { chapterInWords } from '#format/chapter.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { when } from './model.ts'

/** Shows one question at a time, above the bars; the full player renders its own. */
export function FloatingQuestion() {
  const question = useListeningStore((state) => state.twoPlaces.find(({ slug }) => !state.putOff?.has(slug)))
  const inPlayer = usePlayer((store) => store.display === 'full')
  if (!question || inPlayer) return null
  return (
    <div className={styles.slot} role="region" aria-label="Two places">
      <TwoPlacesQuestion question={question} named />
    </div>
  )
}

/** Asks where a book should continue; an open book moves to the chosen place. */
export function TwoPlacesQuestion({ question, named }: { question: TwoPlaces; named: boolean }) {
  const names = useTitleNames(question.slug)
  const now = useNow()
  const [previewed, setPreviewed] = useState<'here' | 'there'>()
  const stop = useRef<() => void>(undefined)
  // Otherwise a preview could outlive its card, without a way to stop it.
  useEffect(() => () => stop.current?.(), [])

  const preview = async (side: 'here' | 'there') => {
    if (previewed === side) return stop.current?.()
    const audio = new Audio()
    const player = await thePlayer()
    stop.current = previewPlace(
      player,
      {
        slug: question.slug,
        place: question[side],
        onEnd: () => setPreviewed((heard) => (heard === side ? undefined : heard)),
      },
      audio,
    )
    setPreviewed(side)
  }
  const choose = async (choice: 'here' | 'there') => {
    stop.current?.()
    const taken = await (await openedListening())?.choose(question.slug, choice)
    const { controls, state } = usePlayer.getState()
    const isOpen = state.title?.kind === 'book' && state.title.slug === question.slug
    if (taken && isOpen && choice === 'there') controls?.goTo(taken)
  }
  return (
    <TwoPlacesCard
      question={question}
      bookTitle={named ? names?.title : undefined}
      chapterNames={names?.chapters}
      nowMs={now}
      previewed={previewed}
      onPreview={(side) => void preview(side)}
      onChoose={(side) => void choose(side)}
      onLater={() => putOffQuestion(question.slug)}
    />
  )
}

type Side = 'here' | 'there'

interface TwoPlacesCardProps {
  question: TwoPlaces
  /** Undefined if the title is shown above the card. */
  bookTitle?: string | undefined
  chapterNames?: ReadonlyMap<number, string> | undefined
  nowMs: number
  previewed: Side | undefined
  onPreview: (side: Side) => void
  onChoose: (side: Side) => void
  /** Stores both and asks again later. */
  onLater: () => void
}

/** This device and another both moved (PLAY-27): the listener chooses, and neither place is lost. */
function TwoPlacesCard({ question, bookTitle, nowMs, onLater, ...sides }: TwoPlacesCardProps) {
  const heading = `two-places-${question.slug}`
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h2 id={heading} className={styles.title}>
        {question.there.isRead
          ? 'You’ve listened here and read on elsewhere'
          : 'You’ve listened in two places'}
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
    <li className={styles.placeRow}>
      <div>
        <p className={styles.device}>{device}</p>
        <p className={styles.soft}>{chapterInWords(place.chapter, name)}</p>
        <p className={styles.soft}>
          <span aria-hidden="true">{clock(place.seconds)}</span>
          <VisuallyHidden>at {spokenClock(place.seconds)}</VisuallyHidden>
          {place.isRead ? ', read ' : ', '}
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
