import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import { clampPlace, type Chapter, type Place } from './model.ts'

/** Where to go on from a saved place: a few seconds earlier, within its chapter (PLAY-06). */
export function resumeFrom(chapters: readonly Chapter[], saved: Place | undefined): Place | undefined {
  const place = clampPlace(chapters, saved ?? { chapter: chapters[0]?.number ?? 1, seconds: 0 })
  return place && { ...place, seconds: Math.max(0, place.seconds - RESUME_REWIND_SECONDS) }
}
