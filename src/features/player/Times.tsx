import { useState } from 'react'
import { clock, spokenClock } from '#format/duration.ts'
import { bookSeconds, secondsIntoBook } from './model.ts'
import { usePosition } from './position.ts'
import { usePlayer } from './store.ts'
import styles from './Times.module.css'

/** Elapsed and remaining, of the chapter; a press on the remaining time shows the whole book. */
export function Times() {
  const position = usePosition()
  const chapters = usePlayer((store) => store.state.title?.chapters)
  const [wholeBook, setWholeBook] = useState(false)
  const canBook = (chapters?.length ?? 0) > 1
  const whole = wholeBook && canBook && chapters
  const elapsed = whole ? secondsIntoBook(chapters, position) : position.seconds
  const left = Math.max(0, (whole ? bookSeconds(chapters) : position.duration) - elapsed)
  const words = `−${clock(Math.ceil(left))}`

  return (
    <p className={styles.times}>
      <span>{clock(elapsed)}</span>
      {canBook ? (
        <button
          type="button"
          className={styles.left}
          aria-label={`${words}, ${spokenClock(Math.ceil(left))} left in ${whole ? 'the book' : 'the chapter'}. Show the ${whole ? 'chapter' : 'whole book'}`}
          onClick={() => setWholeBook(!wholeBook)}
        >
          {words}
        </button>
      ) : (
        <span>{words}</span>
      )}
    </p>
  )
}
