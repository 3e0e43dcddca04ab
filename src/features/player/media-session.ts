import type { Controls, Engine } from './engine-interface.ts'
import { chapterAt } from './model.ts'

interface MediaSessionNeeds {
  /** Undefined in browsers without the API. */
  readonly session: MediaSession | undefined
  readonly engine: Engine
  /** The listener's actions: a press during the sleep timer's fade is not a pause. */
  readonly controls: Controls
  /** True if next and previous change the chapter instead of jumping. */
  headsetChapters: () => boolean
  /** The listener's jump lengths, for systems that pass none. */
  jumps: () => { readonly backSeconds: number; readonly forwardSeconds: number }
  nowMs: () => number
}

/** Some headsets send each press twice (trap 10). */
const SAME_PRESS_MS = 300
/** Events after which the lock screen needs the position; between them it counts on its own. */
const TRANSITIONS = ['sounding', 'pause', 'seek', 'chapterStart', 'waiting', 'ended'] as const

export function startMediaSession({
  session,
  engine,
  controls,
  headsetChapters,
  jumps,
  nowMs,
}: MediaSessionNeeds): void {
  if (!session) return
  const presses = new Map<string, number>()

  /** Debounces presses; equivalent actions share a name, since play and pause arrive in pairs. */
  const once = (name: string, act: (details: MediaSessionActionDetails) => void) =>
    function press(details: MediaSessionActionDetails) {
      const last = presses.get(name)
      if (last !== undefined && nowMs() - last < SAME_PRESS_MS) return
      presses.set(name, nowMs())
      act(details)
    }

  const back = ({ seekOffset }: MediaSessionActionDetails) =>
    controls.jump(-(seekOffset ?? jumps().backSeconds))
  const forward = ({ seekOffset }: MediaSessionActionDetails) =>
    controls.jump(seekOffset ?? jumps().forwardSeconds)

  const actions: readonly [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', once('play', () => controls.play())],
    ['pause', once('play', () => controls.pause())],
    ['stop', once('stop', () => controls.pause())],
    ['seekbackward', once('back', back)],
    ['seekforward', once('forward', forward)],
    // Registering any handler removes the lock screen's own scrubber, except with this one (trap 9).
    [
      'seekto',
      ({ seekTime }) =>
        seekTime !== undefined && controls.goTo({ chapter: engine.place().chapter, seconds: seekTime }),
    ],
    [
      'previoustrack',
      once('previous', (press) => (headsetChapters() ? controls.previousChapter() : back(press))),
    ],
    ['nexttrack', once('next', (press) => (headsetChapters() ? controls.nextChapter() : forward(press)))],
  ]

  const register = (listening: boolean) => {
    for (const [action, act] of actions) {
      try {
        session.setActionHandler(action, listening ? act : null)
      } catch {
        // The browser doesn't support the action.
      }
    }
  }

  const describe = () => {
    const { title, chapter } = engine.state()
    if (!title) return
    session.metadata = new MediaMetadata({
      title: chapterAt(title.chapters, chapter)?.title ?? title.title,
      artist: title.author,
      album: title.title,
      artwork: ([330, 900] as const)
        // An empty address would resolve to the page's own, which is no picture.
        .filter((width) => title.cover.webp[width])
        .map((width) => ({
          src: new URL(title.cover.webp[width], location.href).href,
          sizes: `${width}x${width}`,
          type: 'image/webp',
        })),
    })
  }

  const update = () => {
    const { status, speed } = engine.state()
    session.playbackState = status === 'playing' || status === 'waiting' ? 'playing' : 'paused'
    const at = clampPosition(engine.duration(), engine.place().seconds, speed)
    if (at) session.setPositionState?.(at)
  }

  for (const transition of TRANSITIONS) engine.on(transition, update)
  engine.on('change', update)
  engine.on('load', describe)
  engine.on('chapterStart', describe)
  // Some systems drop handlers and metadata after another app played (trap 9).
  engine.on('sounding', () => {
    register(true)
    describe()
  })
  engine.on('off', () => {
    session.metadata = null
    session.playbackState = 'none'
    register(false)
  })
}

/**
 * A position that `setPositionState` accepts: it throws on a place past the end, on NaN and on a rate of 0
 * (measured).
 */
export function clampPosition(duration: number, position: number, speed: number) {
  if (!Number.isFinite(duration) || duration <= 0) return undefined
  return {
    duration,
    position: Math.min(Math.max(0, Number.isFinite(position) ? position : 0), duration),
    playbackRate: Number.isFinite(speed) && speed > 0 ? speed : 1,
  }
}
