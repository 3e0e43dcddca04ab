import { useState, type KeyboardEvent, useId, useEffect } from 'react'
import { spokenPosition, clock, spokenClock } from '#format/clock.ts'
import { Slider } from '#ui/Slider.tsx'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { useBookmarks, useTitleDownload } from '#features/player/use-player.ts'
import { usePosition, useTimeline } from '#features/player/position.ts'
import { skippedAfter, skippedSeconds } from '#features/player/shorten-silences.ts'
import styles from './player.module.css'
import { SkipBackIcon } from '@phosphor-icons/react/dist/csr/SkipBack'
import { SkipForwardIcon } from '@phosphor-icons/react/dist/csr/SkipForward'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { JumpButton, usePlayAction } from '#features/player/PlayerButtons.tsx'
import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { announce } from '#ui/announce.ts'
import { chapterAt } from '#features/player/model.ts'

/** Arrow keys; Page Up and Page Down. */
const STEP_SECONDS = 5
const PAGE_SECONDS = 60
const ARROWS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** Spans one chapter or the book. A drag updates the display at once and seeks when it ends. */
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
  /** An announcement is valid for this timeline only. */
  const current = line.of === 'book' ? 'book' : chapter

  const say = (at: number) => setSaid({ in: current, at })
  /**
   * Screen readers announce every change of a focused slider's text. During playback it changes only when the
   * listener moves it, so that passing time is not announced.
   */
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
    // Drags move by 1 s and keys by 5 s, but the slider supports only one step.
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

/** Seconds of silence that will be skipped from here to the end of the chapter or the book. */
function useSkipped(of: 'chapter' | 'book'): number {
  const { chapter, seconds } = usePosition()
  const cuts = usePlayer((store) => store.cuts)
  const chapters = usePlayer((store) => store.state.title?.chapters)
  if (!cuts || !chapters) return 0
  return Math.round(
    of === 'chapter'
      ? skippedSeconds(cuts, chapter, seconds)
      : skippedAfter(cuts, chapters, { chapter, seconds }),
  )
}

/** Time heard and time left; a press on the time left switches between chapter and book. */
export function Times() {
  const { of, at, length } = useTimeline()
  const speed = usePlayer((store) => store.state.speed)
  const several = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 1)
  /**
   * Whole seconds, as for all lengths: at 1× both figures add up to the length in the chapter list. Real time
   * rather than audio time: at 2× an hour of audio takes half an hour.
   */
  const left = Math.max(0, Math.floor(length) - Math.floor(at) - useSkipped(of)) / speed
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

export function Transport() {
  const controls = usePlayer((store) => store.controls)
  const count = usePlayer((store) => store.state.title?.chapters.length ?? 0)
  const several = count > 1
  const jump = { large: true, disabled: count === 0, onJump: (seconds: number) => controls?.jump(seconds) }
  return (
    <div className={styles.row}>
      {several && (
        <IconButton
          large
          label="Previous chapter"
          icon={<Icon of={SkipBackIcon} size={26} />}
          onClick={() => controls?.previousChapter()}
        />
      )}
      <JumpButton direction="back" {...jump} />
      <PlayButton />
      <JumpButton direction="forward" {...jump} />
      {several && (
        <IconButton
          large
          label="Next chapter"
          icon={<Icon of={SkipForwardIcon} size={26} />}
          onClick={() => controls?.nextChapter()}
        />
      )}
    </div>
  )
}

/** PLAY-16: disabled, with the reason below it, if there is nothing to play. */
function PlayButton() {
  const controls = usePlayer((store) => store.controls)
  const hasSound = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 0)
  const waiting = usePlayer((store) => store.state.waitingFor !== undefined)
  const { label, picture } = usePlayAction()
  const reason = useId()
  return (
    <span className={styles.play}>
      <button
        type="button"
        className={cx(styles.transportGo, waiting && styles.waiting)}
        aria-label={label}
        aria-busy={waiting}
        disabled={!hasSound}
        aria-describedby={hasSound ? undefined : reason}
        onClick={() => controls?.toggle()}
      >
        <Icon of={picture} size={32} filled />
      </button>
      {!hasSound && (
        <span id={reason} className={styles.reason}>
          There’s nothing to play yet
        </span>
      )}
    </span>
  )
}

/** After a long jump: the previous place, and a button to return. */
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
