import type { ChapterSeconds } from '#storage/place.ts'
import type { Controls, Engine } from './engine-interface.ts'
import { secondsIntoBook } from './model.ts'
import type { NextUp } from './next-up.ts'
import { rewindAfter } from './resume.ts'
import type { SleepTimer } from './sleep-timer.ts'
import { usePlayer, wantsSound } from './store.ts'

interface ListenerActionsNeeds {
  readonly engine: Engine
  readonly sleep: SleepTimer
  readonly nextUp: NextUp | undefined
  readonly nowMs: () => number
}

/**
 * The effect of a press on the screen, a key or a headset. Each rule wraps the ones before it, so the
 * last one handles a press first:
 *
 * 1. While the sleep timer fades, a press means "I am still awake".
 * 2. A far move offers a way back for 10 s.
 * 3. After a pause, play goes back a little first.
 * 4. During the countdown to the next title, play starts it and pause declines it.
 */
export function listenerActions({ engine, sleep, nextUp, nowMs }: ListenerActionsNeeds): Controls {
  const awake = withSleepTimer(engine, sleep)
  const undoable = withUndoJump(engine, awake)
  const rewinding = withRewind(engine, undoable, nowMs)
  return nextUp ? withNextUp(nextUp, rewinding) : rewinding
}

/**
 * During the fade, play and pause both mean "I am awake": a headset has one button, and the system decides
 * which of the two it sends.
 */
export function withSleepTimer(engine: Engine, sleep: SleepTimer): Controls {
  const awake = (act: () => void) => () => {
    if (!sleep.state().fading) return act()
    sleep.extend()
    if (!wantsSound(engine.state())) engine.play()
  }
  return {
    ...engine,
    play: awake(engine.play),
    pause: awake(engine.pause),
    toggle: awake(engine.toggle),
  }
}

/** Shorter moves are easy to undo with the arrows. */
const FAR_SECONDS = 30
const OFFERED_MS = 10_000

/** Lets listeners undo a slip on the scrubber. Several moves in a row lead back to the start of the first. */
function withUndoJump(engine: Engine, controls: Controls): Controls {
  let timer: ReturnType<typeof setTimeout> | undefined
  const forget = () => {
    clearTimeout(timer)
    usePlayer.setState({ jumpedFrom: undefined })
  }
  engine.on('load', forget)
  engine.on('off', forget)

  const remember = (from: ChapterSeconds) => {
    clearTimeout(timer)
    const chapters = engine.state().title?.chapters ?? []
    const far = Math.abs(secondsIntoBook(chapters, from) - secondsIntoBook(chapters, engine.place()))
    if (far <= FAR_SECONDS) return forget()
    usePlayer.setState({ jumpedFrom: from })
    timer = setTimeout(forget, OFFERED_MS)
  }
  const watched =
    <A extends readonly unknown[]>(move: (...values: A) => void) =>
    (...values: A) => {
      const earlier = usePlayer.getState().jumpedFrom
      // Going back to the end of a finished book is useless.
      const from = engine.state().status === 'ended' ? undefined : (earlier ?? engine.place())
      move(...values)
      if (from) remember(from)
    }
  return {
    ...controls,
    goTo: watched(controls.goTo),
    jump: watched(controls.jump),
    nextChapter: watched(controls.nextChapter),
    previousChapter: watched(controls.previousChapter),
  }
}

/** Rewinds within the chapter, and never before the start of this listening session, as in PLAY-06. */
export function withRewind(engine: Engine, controls: Controls, nowMs: () => number): Controls {
  let paused: (ChapterSeconds & { readonly atMs: number }) | undefined
  let began: ChapterSeconds = engine.place()

  const forget = () => void (paused = undefined)
  const begin = ({ chapter, seconds }: ChapterSeconds) => {
    forget()
    began = { chapter, seconds }
  }
  engine.on('pause', ({ chapter, seconds }) => void (paused = { chapter, seconds, atMs: nowMs() }))
  engine.on('play', forget)
  engine.on('load', begin)
  engine.on('seek', begin)
  engine.on('chapterStart', begin)

  const before = (act: () => void) => () => {
    if (wantsSound(engine.state())) return act()
    const { status, title, wentElsewhere } = engine.state()
    const place = engine.place()
    // A book that was played on another device continues exactly at that place.
    const isSame = !wentElsewhere && place.chapter === paused?.chapter
    if (paused && isSame && status === 'paused' && title?.kind === 'book') {
      const floor = began.chapter === place.chapter ? began.seconds : 0
      const seconds = Math.max(floor, place.seconds - rewindAfter(nowMs() - paused.atMs))
      const kept = began
      if (seconds < place.seconds) engine.goTo({ ...place, seconds })
      // A rewind doesn't start a new session: a second pause may go back as far as this one.
      began = kept
    }
    act()
  }
  return { ...controls, play: before(controls.play), toggle: before(controls.toggle) }
}

export function withNextUp(nextUp: NextUp, controls: Controls): Controls {
  const or = (answer: () => void, act: () => void) => () => (nextUp.isCounting() ? answer() : act())
  return {
    ...controls,
    play: or(nextUp.now, controls.play),
    pause: or(nextUp.no, controls.pause),
    toggle: or(nextUp.now, controls.toggle),
  }
}
