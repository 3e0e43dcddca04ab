import { plural } from './plural.ts'

function hoursOf(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds || 0))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, rest: whole % 60 }
}

const pad = (number: number) => String(number).padStart(2, '0')

/** A position in a chapter: "4:05", "1:02:05". */
export function clock(seconds: number) {
  const { hours, minutes, rest } = hoursOf(seconds)
  return hours ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}

/** In words: "4 minutes 5 seconds", "0 seconds". */
export function spokenClock(seconds: number) {
  const { hours, minutes, rest } = hoursOf(seconds)
  const parts = [
    hours && plural(hours, 'hour'),
    minutes && plural(minutes, 'minute'),
    (rest || (!hours && !minutes)) && plural(rest, 'second'),
  ]
  return parts.filter(Boolean).join(' ')
}

/** For `aria-valuetext` of a scrubber: "4 minutes 10 seconds of 16 minutes 50 seconds". */
export const spokenPosition = (atSeconds: number, ofSeconds: number) =>
  `${spokenClock(atSeconds)} of ${spokenClock(ofSeconds)}`

/**
 * A book's length for display: "6 h 12 m", "4 h 00 m", "24 min". Minutes are rounded down, to at least one.
 */
export function shortLength(seconds: number) {
  const { hours, minutes } = wholeMinutes(seconds)
  return hours ? `${hours} h ${pad(minutes)} m` : `${minutes} min`
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
