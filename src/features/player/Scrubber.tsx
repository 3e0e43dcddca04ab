import { useState, type KeyboardEvent } from 'react'
import { spokenPosition } from '#format/clock.ts'
import { Slider } from '#ui/Slider.tsx'
import { usePlayer, wantsSound } from './store.ts'
import { useBookmarks, useTitleDownload } from './use-player.ts'
import { useTimeline } from './use-timeline.ts'

/** An arrow, and Page Up or Page Down. */
const STEP_SECONDS = 5
const PAGE_SECONDS = 60
const ARROWS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** One chapter, or the book, from end to end. A drag is shown at once and heard when it ends. */
export function Scrubber() {
  const line = useTimeline()
  const controls = usePlayer((store) => store.controls)
  const title = usePlayer((store) => store.state.title)
  const chapter = usePlayer((store) => store.state.chapter)
  const runs = usePlayer((store) => wantsSound(store.state))
  const jumpedFrom = usePlayer((store) => store.jumpedFrom)
  const { stored } = useTitleDownload(title)
  const marks = useBookmarks()
  const [drag, setDrag] = useState<number>()
  const [said, setSaid] = useState<{ in: number | string; at: number }>()
  const { length } = line
  /** The announcement is valid for this timeline only. */
  const current = line.of === 'book' ? 'book' : chapter

  const say = (at: number) => setSaid({ in: current, at })
  // Screen readers read a focused slider aloud whenever its words change. While sound runs, they change on the
  // listener's own doing only: time is never announced.
  const words = (at: number) =>
    spokenPosition(runs && drag === undefined && said?.in === current ? said.at : at, length)

  const goTo = (to: number) => {
    const within = Math.min(length, Math.max(0, to))
    say(within)
    controls?.goTo(line.placeFor(within))
  }
  const stepInstead = (event: KeyboardEvent) => {
    const direction = event.shiftKey ? undefined : ARROWS[event.key]
    if (!direction) return
    // A drag has seconds, a key has five: the slider itself knows one step only.
    event.preventDefault()
    event.stopPropagation()
    goTo(line.at + direction * STEP_SECONDS)
  }

  return (
    <div onKeyDownCapture={stepInstead} onFocus={() => say(line.at)} onBlur={() => setSaid(undefined)}>
      <Slider
        label={`Position in ${line.of}`}
        value={drag ?? line.at}
        max={length}
        largeStep={PAGE_SECONDS}
        valueText={words}
        onChange={setDrag}
        onCommit={(to) => {
          goTo(to)
          setDrag(undefined)
        }}
        buffered={length > 0 ? line.buffered / length : 0}
        stored={line.storedParts(stored)}
        borders={line.borders}
        ring={jumpedFrom && line.along(jumpedFrom)}
        notches={marks.flatMap((mark) => line.along(mark) ?? [])}
        disabled={length <= 0}
        tone="title"
      />
    </div>
  )
}
