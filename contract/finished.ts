/** The one definition of a finished title, for app and server (docs/product.md, Listening). */

/** Equal to the five seconds that resuming rewinds (PLAY-06). */
export const FINISHED_WITHIN_SECONDS = 5
/** Readers rarely turn to the last page, so the colophon counts as read. */
export const READ_FROM = 0.99

interface Place {
  readonly chapter: number
  readonly seconds: number
}

/** @param chapters in order; if the length of the last one is unknown, the title is never finished */
export function isHeardToTheEnd(
  chapters: readonly { readonly number: number; readonly seconds: number }[],
  place: Place,
): boolean {
  const last = chapters.at(-1)
  if (last?.number !== place.chapter || last.seconds <= 0) return false
  return place.seconds >= last.seconds - FINISHED_WITHIN_SECONDS
}

/** @param share the part of the e-book before the current page, from 0 to 1 */
export const isReadToTheEnd = (share: number): boolean => share >= READ_FROM
