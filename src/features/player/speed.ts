import { DEFAULT_SPEED, SPEEDS } from '#contract/player-limits.ts'
import type { SpeedStore } from './ports.ts'
import type { Engine } from './engine-interface.ts'

/** Steps through the list, which ends at 0.5 and 2.0 (CONST-09). */
export const stepSpeed = (speed: number, steps: number): number => speedAt(speedIndex(speed) + steps)

export function speedIndex(speed: number): number {
  const distances = SPEEDS.map((known) => Math.abs(known - speed))
  return distances.indexOf(Math.min(...distances))
}

export const speedAt = (index: number): number =>
  SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))] ?? DEFAULT_SPEED

/** "1.2×", "1×" */
export const speedLabel = (speed: number): string => `${speed}×`

/** The stored speed of a book, if the menu offers it. */
export async function readSpeed(speeds: Pick<SpeedStore, 'read'>, slug: string): Promise<number> {
  const kept = await speeds.read(slug).catch(() => undefined)
  return kept !== undefined && SPEEDS.includes(kept) ? kept : DEFAULT_SPEED
}

/**
 * Stores each chosen speed for the current book, on all devices; applies one chosen on another device unless
 * this device plays.
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
