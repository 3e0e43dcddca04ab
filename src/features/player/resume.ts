import { isHeardToTheEnd } from '#contract/finished.ts'
import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import { type Chapter, chapterAt, clampPlace } from './model.ts'
import { playerSettings } from './settings.ts'

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
  const fromSeconds = heard?.chapter === place.chapter ? heard.fromSeconds : 0
  return { ...place, seconds: rewound({ ...place, fromSeconds }, rewindSeconds) }
}

/** The second that “Play from” names: where a saved place resumes if it is played now. */
export const resumeSeconds = (saved: ResumePlace, nowMs: number): number =>
  rewound(saved, rewindSince(saved.heardAtMs, nowMs))

const rewound = ({ seconds, fromSeconds = 0 }: ResumePlace, rewindSeconds: number): number =>
  Math.max(0, Math.min(fromSeconds, seconds), seconds - RESUME_REWIND_SECONDS - rewindSeconds)

/** Seconds to rewind in addition to PLAY-06 for a place heard at that time; 0 if the time is unknown. */
export const rewindSince = (heardAtMs: number | undefined, nowMs: number): number =>
  heardAtMs === undefined ? 0 : rewindAfter(nowMs - heardAtMs)

const MINUTE_MS = 60_000

/** The longer the pause, the longer the rewind (docs/product.md, Listening). */
const AFTER_PAUSE: readonly (readonly [pauseMs: number, seconds: number])[] = [
  [24 * 60 * MINUTE_MS, 30],
  [60 * MINUTE_MS, 15],
  [MINUTE_MS, 5],
]

/** Seconds to rewind after a pause; 0 if the listener turned that off. */
export function rewindAfter(pauseMs: number): number {
  if (!playerSettings().rewinds) return 0
  return AFTER_PAUSE.find(([least]) => pauseMs >= least)?.[1] ?? 0
}

/** The shop's owner may have moved the chapter since it was heard. */
function numberNow(chapters: readonly Chapter[], { chapter, sound }: ResumePlace): number {
  if (sound === undefined || chapterAt(chapters, chapter)?.sound === sound) return chapter
  return chapters.find((each) => each.sound === sound)?.number ?? chapter
}
