import { useState, type KeyboardEvent } from 'react'
import { spokenPosition } from '#format/duration.ts'
import { Slider } from '#ui/Slider.tsx'
import type { Place } from './model.ts'
import { usePosition } from './position.ts'
import { usePlayer, wantsSound } from './store.ts'
import { useBookmarks, useDownload } from './use-player.ts'

/** An arrow, and Page Up or Page Down. */
const STEP_SECONDS = 5
const PAGE_SECONDS = 60
const ARROWS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** One chapter from end to end. A drag is shown at once and heard when it ends. */
export function Scrubber() {
  const { chapter, seconds, duration, buffered } = usePosition()
  const hand = usePlayer((store) => store.hand)
  const title = usePlayer((store) => store.state.title)
  const runs = usePlayer((store) => wantsSound(store.state))
  const { stored } = useDownload(title)
  const marks = useBookmarks()
  const [drag, setDrag] = useState<number>()
  const [said, setSaid] = useState<Place>()

  const say = (at: number) => setSaid({ chapter, seconds: at })
  // Screen readers read a focused slider aloud whenever its words change. While sound runs, they change on the
  // listener's own doing only: time is never announced.
  const words = (at: number) =>
    spokenPosition(runs && drag === undefined && said?.chapter === chapter ? said.seconds : at, duration)

  const goTo = (to: number) => {
    const within = Math.min(duration, Math.max(0, to))
    say(within)
    hand?.goTo({ chapter, seconds: within })
  }
  const stepInstead = (event: KeyboardEvent) => {
    const direction = event.shiftKey ? undefined : ARROWS[event.key]
    if (!direction) return
    // A drag has seconds, a key has five: the slider itself knows one step only.
    event.preventDefault()
    event.stopPropagation()
    goTo(seconds + direction * STEP_SECONDS)
  }

  return (
    <div onKeyDownCapture={stepInstead} onFocus={() => say(seconds)} onBlur={() => setSaid(undefined)}>
      <Slider
        label="Position in chapter"
        value={drag ?? seconds}
        max={duration}
        largeStep={PAGE_SECONDS}
        valueText={words}
        onChange={setDrag}
        onCommit={(to) => {
          goTo(to)
          setDrag(undefined)
        }}
        buffered={duration > 0 ? buffered / duration : 0}
        stored={stored.has(chapter)}
        notches={marks.filter((mark) => mark.chapter === chapter).map((mark) => mark.seconds)}
        disabled={duration <= 0}
        tone="title"
      />
    </div>
  )
}
