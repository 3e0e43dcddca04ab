import { plural } from './plural.ts'

/** A book's length as shown: "6 h 12 m", "4 h 00 m", "24 m". Minutes are rounded down, never below one. */
export function shortLength(seconds: number) {
  const { hours, minutes } = wholeMinutes(seconds)
  return hours ? `${hours} h ${pad(minutes)} m` : `${minutes} m`
}

/** The same in full, for screen readers: "6 hours 12 minutes". */
export function spokenLength(seconds: number) {
  const { hours, minutes } = wholeMinutes(seconds)
  if (!hours) return plural(minutes, 'minute')
  return minutes ? `${plural(hours, 'hour')} ${plural(minutes, 'minute')}` : plural(hours, 'hour')
}

/** Less than this share of what was sold is not the whole book: a demo, or a first part. */
const SHORT_SHARE = 0.5

/** The sound is much shorter than the length that is sold: it has to be said, or every figure looks wrong. */
export const isShortRecording = (soundSeconds: number, soldSeconds: number) =>
  soundSeconds > 0 && soundSeconds < SHORT_SHARE * soldSeconds

/** A place in a chapter: "4:05", "1:02:05". */
export function clock(seconds: number) {
  const { hours, minutes, rest } = split(seconds)
  return hours ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}

/** The same in full: "4 minutes 5 seconds", "0 seconds". */
export function spokenClock(seconds: number) {
  const { hours, minutes, rest } = split(seconds)
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

function split(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds || 0))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, rest: whole % 60 }
}

function wholeMinutes(seconds: number) {
  const { hours, minutes } = split(seconds)
  return { hours, minutes: hours || minutes ? minutes : 1 }
}

const pad = (number: number) => String(number).padStart(2, '0')
