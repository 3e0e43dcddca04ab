import { isHeardToTheEnd } from '#contract/finished.ts'
import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import { clampPlace, type Chapter } from './model.ts'

/**
 * The point to go on from after a saved place: a few seconds earlier, within its chapter (PLAY-06), but not before
 * this stretch of listening began: who opens a book again and again would drift backwards through it.
 *
 * @param rewindSeconds what the length of the pause takes off on top (`rewind.ts`)
 */
export function resumeFrom(
  chapters: readonly Chapter[],
  saved: ResumePlace | undefined,
  rewindSeconds = 0,
): ChapterSeconds | undefined {
  const [first] = chapters
  const place = first && clampPlace(chapters, saved ?? { chapter: first.number, seconds: 0 })
  if (!place) return undefined
  // A chapter heard to its end resumes at the end: its last seconds are nowhere to pick up.
  if (isHeardToTheEnd(chapters, place)) return place
  const began = saved?.chapter === place.chapter ? Math.min(saved.fromSeconds ?? 0, place.seconds) : 0
  return { ...place, seconds: Math.max(0, began, place.seconds - RESUME_REWIND_SECONDS - rewindSeconds) }
}
