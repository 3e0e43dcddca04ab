/**
 * Lengths of time in milliseconds, the unit of every clock here. A day is one of UTC: it has no summer.
 * Plain figures, since those are written into the code that uses them when the app is built.
 */
export const SECOND_MS = 1000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
