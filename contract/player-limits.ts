/** The player's constants, separate from the others so that a first visit does not load them. */

/** CONST-09: 0.5 to 2.0 in steps of 0.1, with 1.25 and 1.75; listed to avoid rounding errors. */
export const SPEEDS: readonly number[] = [
  0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.75, 1.8, 1.9, 2,
]
export const QUICK_SPEEDS = [0.5, 1, 1.25, 1.5, 1.75, 2] as const
export const DEFAULT_SPEED = 1

/** CONST-10 */
export const SLEEP_HOURS: readonly number[] = Array.from({ length: 13 }, (_, hour) => hour)
export const SLEEP_MINUTES: readonly number[] = Array.from({ length: 13 }, (_, step) => step * 5)
export const QUICK_SLEEP_MINUTES = [15, 30, 45, 60] as const
