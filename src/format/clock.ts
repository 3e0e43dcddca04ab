import { plural } from './plural.ts'

export function hoursOf(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds || 0))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, rest: whole % 60 }
}

export const pad = (number: number) => String(number).padStart(2, '0')

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
