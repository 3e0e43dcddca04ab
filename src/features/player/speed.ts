import { DEFAULT_SPEED, SPEEDS } from '#contract/player-limits.ts'
import type { SpeedStore } from './ports.ts'

/** The speed that many steps on in the list, which ends at 0.5 and 2.0 (CONST-09). */
export const stepSpeed = (speed: number, steps: number): number => speedAt(speedIndex(speed) + steps)

/** The place in the list of the speed nearest to this one. */
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
