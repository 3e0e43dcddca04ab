import { isHeardToTheEnd } from '#contract/finished.ts'
import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import { type Chapter, chapterAt, clampPlace } from './model.ts'

/**
 * Rewinds a saved place by a few seconds within its chapter (PLAY-06), but not before the start of the
 * listening session. Otherwise repeated opening would move the place backwards.
 *
 * @param rewindSeconds additional seconds for the length of the pause (`rewindAfter`)
 */
export function resumeFrom(
  chapters: readonly Chapter[],
  saved: ResumePlace | undefined,
  rewindSeconds = 0,
): ChapterSeconds | undefined {
  const [first] = chapters
  const heard = saved && { ...saved, chapter: numberNow(chapters, saved) }
  const place = first && clampPlace(chapters, heard ?? { chapter: first.number, seconds: 0 })
  if (!place) return undefined
  if (isHeardToTheEnd(chapters, place)) return place
  const began = heard?.chapter === place.chapter ? Math.min(heard.fromSeconds ?? 0, place.seconds) : 0
  return { ...place, seconds: Math.max(0, began, place.seconds - RESUME_REWIND_SECONDS - rewindSeconds) }
}

/** The shop's owner may have moved the chapter since it was heard. */
function numberNow(chapters: readonly Chapter[], { chapter, sound }: ResumePlace): number {
  if (sound === undefined || chapterAt(chapters, chapter)?.sound === sound) return chapter
  return chapters.find((each) => each.sound === sound)?.number ?? chapter
}
