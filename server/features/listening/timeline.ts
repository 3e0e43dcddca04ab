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
 * In seconds of the book, negative for going back. The end of a chapter and the beginning of the next one are the
 * same place. A chapter that no longer exists is infinitely far away.
 */
export function stepSeconds(timeline: ChapterOffsets, from: Spot, to: Spot): number {
  const start = timeline.chapters.get(from.chapter)?.startsAtSeconds
  const end = timeline.chapters.get(to.chapter)?.startsAtSeconds
  if (from.chapter === to.chapter) return to.seconds - from.seconds
  if (start === undefined || end === undefined) return Infinity
  return end + to.seconds - (start + from.seconds)
}
