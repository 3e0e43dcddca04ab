/** The positions of a book's chapters, one after the other. */
export interface ChapterOffsets {
  readonly bookId: number
  readonly slug: string
  readonly chapters: ReadonlyMap<number, { readonly startsAtSeconds: number; readonly seconds: number }>
}

export interface Spot {
  readonly chapter: number
  readonly seconds: number
}

export function timelineOf(
  book: { bookId: number; slug: string },
  lengths: readonly { number: number; seconds: number }[],
): ChapterOffsets {
  const chapters = new Map<number, { startsAtSeconds: number; seconds: number }>()
  let startsAtSeconds = 0
  for (const { number, seconds } of lengths.toSorted((a, b) => a.number - b.number)) {
    chapters.set(number, { startsAtSeconds, seconds })
    startsAtSeconds += seconds
  }
  return { ...book, chapters }
}

/**
 * From one place to another in seconds of the book, negative for going back. The end of one chapter and the
 * beginning of the next are the same place. A chapter that is gone since lies infinitely far away.
 */
export function stepSeconds(timeline: ChapterOffsets, from: Spot, to: Spot): number {
  const start = timeline.chapters.get(from.chapter)?.startsAtSeconds
  const end = timeline.chapters.get(to.chapter)?.startsAtSeconds
  if (from.chapter === to.chapter) return to.seconds - from.seconds
  if (start === undefined || end === undefined) return Infinity
  return end + to.seconds - (start + from.seconds)
}
