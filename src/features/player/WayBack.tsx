import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { useEffect } from 'react'
import { clock, spokenClock } from '#format/clock.ts'
import { announce } from '#ui/announce.ts'
import { Icon } from '#ui/Icon.tsx'
import { chapterAt } from './model.ts'
import { usePlayer } from './store.ts'
import styles from './WayBack.module.css'

/** After a big jump: where the listener was, and a way back. */
export function UndoJump() {
  const from = usePlayer((store) => store.jumpedFrom)
  const controls = usePlayer((store) => store.controls)
  const chapter = usePlayer(({ state }) => state.chapter)
  const chapters = usePlayer(({ state }) => state.title?.chapters)
  const elsewhere =
    from && from.chapter !== chapter ? chapterAt(chapters ?? [], from.chapter)?.title : undefined

  useEffect(() => {
    if (from) announce(`You were at ${spokenClock(from.seconds)}. The Go back button is above the scrubber.`)
  }, [from])
  if (!from) return null
  return (
    <div className={styles.back}>
      <p className={styles.words}>
        {elsewhere
          ? `You were at ${clock(from.seconds)} of ${elsewhere}`
          : `You were at ${clock(from.seconds)}`}
      </p>
      <button
        type="button"
        className={styles.go}
        onClick={() => {
          usePlayer.setState({ jumpedFrom: undefined })
          controls?.goTo(from)
          usePlayer.setState({ jumpedFrom: undefined })
        }}
      >
        <Icon of={ArrowUUpLeftIcon} size={20} />
        Go back
      </button>
    </div>
  )
}
