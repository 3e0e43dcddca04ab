import type { ChapterSeconds } from '#storage/place.ts'
import type { Controls, Engine } from './controls.ts'
import { secondsIntoBook } from './model.ts'
import { usePlayer } from './store.ts'

/** Shorter moves are easy to undo with the arrows. */
const FAR_SECONDS = 30
const OFFERED_MS = 10_000

type Moves = Pick<Controls, 'goTo' | 'jump' | 'nextChapter' | 'previousChapter'>

/**
 * Remembers for 10 s where the ear was before the listener moved far: a slip of a thumb on the scrubber costs
 * nothing. Several moves in a row lead back to where the first of them began.
 */
export function withUndoJump<C extends Controls>(engine: Engine, controls: C): C {
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
      // At the end there is nothing to go back to.
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
  } satisfies C & Moves
}
