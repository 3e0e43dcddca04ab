import type { ChapterSeconds } from '#storage/place.ts'
import type { Controls, Engine } from './controls.ts'
import { playerSettings } from './settings.ts'
import { wantsSound } from './store.ts'

const MINUTE_MS = 60_000

/** docs/product.md, Listening: the longer somebody was away, the more of the sentence before is forgotten. */
const AFTER_PAUSE: readonly (readonly [pauseMs: number, seconds: number])[] = [
  [24 * 60 * MINUTE_MS, 30],
  [60 * MINUTE_MS, 15],
  [MINUTE_MS, 5],
]

/** How much further back a book goes on after a pause; 0 where the listener turned that off. */
export function rewindAfter(pauseMs: number): number {
  if (!playerSettings().rewinds) return 0
  return AFTER_PAUSE.find(([least]) => pauseMs >= least)?.[1] ?? 0
}

/**
 * Goes back by the pause's length before the sound of an open book goes on: within the chapter, and never before this
 * stretch of listening began, as PLAY-06 does.
 */
export function withRewind<C extends Controls>(engine: Engine, controls: C, nowMs: () => number): C {
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
    // What went on elsewhere goes on where it stood there.
    const isSame = !wentElsewhere && place.chapter === paused?.chapter
    if (paused && isSame && status === 'paused' && title?.kind === 'book') {
      const floor = began.chapter === place.chapter ? began.seconds : 0
      const seconds = Math.max(floor, place.seconds - rewindAfter(nowMs() - paused.atMs))
      const kept = began
      if (seconds < place.seconds) engine.goTo({ ...place, seconds })
      // Going back is no new stretch: a second pause may go back to where this one could.
      began = kept
    }
    act()
  }
  return { ...controls, play: before(controls.play), toggle: before(controls.toggle) }
}
