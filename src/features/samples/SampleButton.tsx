import { useEffect, useId } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { clock } from '#format/clock.ts'
import { useOnline } from '#net/use-online.ts'
import { cx } from '#ui/cx.ts'
import styles from './samples.module.css'
import {
  leaveSample,
  listenTo,
  NO_SAMPLE,
  pressSample,
  type Sample,
  sampleOf,
  type SampleState,
  useSamples,
} from './store.ts'

interface SampleButtonProps {
  book: Pick<BookCard, 'entityType' | 'slug' | 'title' | 'sample'>
  /** Plays the book itself. */
  owned?: boolean
  /** Beside the ring until it plays: "Sample". */
  words?: string
  className?: string | undefined
}

/** Plays the sample of a book in place, and shows the time left. Renders nothing for a book without a sample. */
export function SampleButton({ book, owned = false, words, className }: SampleButtonProps) {
  const sample = sampleOf(book)
  if (owned) return <PlayButton book={book} words="Play" />
  return sample && <PlaySample sample={sample} words={words} className={className} />
}

interface CoverButtonProps {
  book: Pick<BookCard, 'entityType' | 'slug' | 'title' | 'sample'>
  owned: boolean
  /** Places the button in the lower corner of its parent, next to a price. */
  below?: boolean | undefined
}

/**
 * In the corner of a square cover: the sample, or the book itself for its owner. Its parent is as wide as the cover,
 * begins with it, and is positioned.
 */
export function CoverButton({ book, owned, below }: CoverButtonProps) {
  const sample = sampleOf(book)
  if (owned ? book.entityType !== 'audioBook' : !sample) return null
  return (
    <span className={cx(styles.overCover, below && styles.below)}>
      {owned ? <PlayButton book={book} /> : <PlaySample sample={sample!} />}
    </span>
  )
}

/** Plays an audiobook of the listener's library. */
export function PlayButton({
  book,
  words,
  className,
}: {
  book: Pick<BookCard, 'entityType' | 'slug' | 'title'>
  words?: string
  className?: string | undefined
}) {
  if (book.entityType !== 'audioBook') return null
  return (
    <button
      type="button"
      className={cx(styles.button, className)}
      aria-label={`Play ${book.title}`}
      onClick={() => listenTo(book.slug)}
    >
      <Ring share={0} />
      {words && <span className={styles.words}>{words}</span>}
    </button>
  )
}

interface PlaySampleProps {
  sample: Sample
  words?: string | undefined
  className?: string | undefined
}

function PlaySample({ sample, words, className }: PlaySampleProps) {
  const id = useId()
  const state = useSamples((current) => (current.sample?.address === sample.address ? current : NO_SAMPLE))
  const isPlaying = state.status === 'playing' || state.status === 'loading'
  const online = useOnline()
  const left = timeLeft(state)
  const failure = state.status === 'failed' ? (online ? 'Didn’t play' : 'Needs a connection') : ''
  const shown = failure || words
  const plain = `Play a sample of ${sample.title}`
  const saysWords = !words || plain.toLowerCase().includes(words.toLowerCase())
  const name = saysWords ? plain : `${words}, a sample of ${sample.title}`
  useEffect(() => () => leaveSample(id), [id])
  return (
    <button
      type="button"
      className={cx(styles.button, className)}
      data-status={state.status}
      // Contains the visible words (WCAG 2.5.3), except the time: a name must not change every second.
      aria-label={`${name}${failure && `, ${failure}`}`}
      aria-pressed={isPlaying}
      aria-busy={state.status === 'loading'}
      onClick={() => pressSample(sample, id)}
    >
      <Ring
        share={state.duration > 0 ? state.seconds / state.duration : 0}
        playing={isPlaying}
        waiting={state.status === 'loading'}
      />
      {left ? (
        <span className={styles.words} aria-hidden="true">
          {left}
        </span>
      ) : (
        shown && <span className={styles.words}>{shown}</span>
      )}
    </button>
  )
}

/** Empty before and after. */
function timeLeft({ status, seconds, duration }: SampleState): string {
  const isUnderWay = (status === 'playing' || status === 'paused') && duration > 0
  return isUnderWay ? `${clock(duration - seconds)} left` : ''
}

interface RingProps {
  /** From 0 to 1. */
  share: number
  playing?: boolean
  waiting?: boolean
}

const Ring = ({ share, playing = false, waiting = false }: RingProps) => (
  <svg
    width="32"
    height="32"
    viewBox="0 0 32 32"
    fill="none"
    aria-hidden="true"
    focusable="false"
    className={styles.ring}
  >
    <circle
      cx="16"
      cy="16"
      r="14.2"
      stroke="currentColor"
      strokeWidth="1.6"
      opacity={share > 0 ? 0.28 : 0.6}
    />
    {(share > 0 || waiting) && (
      <circle
        className={waiting ? styles.turning : styles.arc}
        cx="16"
        cy="16"
        r="14.2"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
        pathLength={100}
        strokeDasharray={`${waiting ? 12 : share * 100} 100`}
      />
    )}
    {playing ? (
      <path d="M12.8 11v10M19.2 11v10" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    ) : (
      <path d="M13 10.5v11l8.8-5.5z" fill="currentColor" />
    )}
  </svg>
)
