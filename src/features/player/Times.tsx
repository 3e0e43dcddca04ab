import { clock, spokenClock } from '#format/clock.ts'
import { usePlayer } from './store.ts'
import styles from './transport.module.css'
import { useTimeline } from './use-timeline.ts'

/** Time heard and time left; a press on the time left switches between chapter and book. */
export function Times() {
  const { of, at, length } = useTimeline()
  const speed = usePlayer((store) => store.state.speed)
  const several = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 1)
  // Whole seconds, as everywhere a length is shown: at 1× both figures make up the length in the chapter list.
  // Time of the listener's day, not of the sound: at 2× an hour of it is over in half an hour.
  const left = Math.max(0, Math.floor(length) - Math.floor(at)) / speed
  const words = `−${clock(left)}${of === 'book' ? ' in book' : ''}`

  return (
    <p className={styles.times}>
      <span>{clock(at)}</span>
      {several ? (
        <button
          type="button"
          className={styles.left}
          aria-label={`${words}, ${spokenClock(left)} left in the ${of}. Show the ${of === 'book' ? 'chapter' : 'whole book'}`}
          onClick={() => usePlayer.setState({ wholeBook: of === 'chapter' })}
        >
          {words}
        </button>
      ) : (
        <span>{words}</span>
      )}
    </p>
  )
}
