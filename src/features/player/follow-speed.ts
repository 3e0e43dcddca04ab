import type { Engine } from './controls.ts'
import type { SpeedStore } from './ports.ts'

/**
 * Every speed that is chosen belongs to the book that is heard, on all devices; one chosen elsewhere is taken over unless this
 * device sounds.
 */
export function followSpeeds(engine: Engine, speeds: SpeedStore): void {
  let known = engine.state()
  let takenOver: number | undefined
  let unfollow: (() => void) | undefined

  engine.on('change', (state) => {
    const changed = state.title && state.title === known.title && state.speed !== known.speed
    known = state
    if (changed && state.title?.kind === 'book' && state.speed !== takenOver)
      speeds.keep(state.title.slug, state.speed).catch(() => undefined)
    takenOver = undefined
  })
  engine.on('play', ({ title }) => {
    if (title.kind === 'book') speeds.storeBegun(title.slug, engine.state().speed).catch(() => undefined)
  })
  engine.on('load', ({ title }) => {
    unfollow?.()
    unfollow = undefined
    if (title.kind !== 'book') return
    unfollow = speeds.subscribe(title.slug, (speed) => {
      const { status, speed: now } = engine.state()
      if (status === 'playing' || speed === now) return
      takenOver = speed
      engine.setSpeed(speed)
    })
  })
}
