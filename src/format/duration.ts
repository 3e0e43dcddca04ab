import { hoursOf, pad } from './clock.ts'
import { plural } from './plural.ts'

/**
 * A book's length for display: "6 h 12 m", "4 h", "24 min". Minutes are rounded down, to at least one.
 */
export function shortLength(seconds: number) {
  const { hours, minutes } = wholeMinutes(seconds)
  return hours ? `${hours} h${minutes ? ` ${pad(minutes)} m` : ''}` : `${minutes} min`
}

/** In words, for screen readers: "6 hours 12 minutes". */
export function spokenLength(seconds: number) {
  const { hours, minutes } = wholeMinutes(seconds)
  if (!hours) return plural(minutes, 'minute')
  return minutes ? `${plural(hours, 'hour')} ${plural(minutes, 'minute')}` : plural(hours, 'hour')
}

/** Below this share of the advertised length, a recording is not the whole book. */
const SHORT_SHARE = 0.5

/**
 * True if the recording is much shorter than the advertised length, which the screen must mention. Advertised
 * lengths are whole minutes, at least one.
 */
export const isShortRecording = (soundSeconds: number, soldSeconds: number) =>
  soundSeconds > 0 && soldSeconds > 60 && soundSeconds < SHORT_SHARE * soldSeconds

function wholeMinutes(seconds: number) {
  const { hours, minutes } = hoursOf(seconds)
  return { hours, minutes: hours || minutes ? minutes : 1 }
}
