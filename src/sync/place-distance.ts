interface Spot {
  chapter: number
  seconds: number
}

/**
 * Seconds of sound between two places. `lengths` are the chapters' playtimes by chapter number; where one
 * between the places is not known they count as infinitely far apart: asking once too often loses nothing.
 */
export function placeDistance(a: Spot, b: Spot, lengths: ReadonlyMap<number, number> = new Map()): number {
  if (a.chapter === b.chapter) return Math.abs(a.seconds - b.seconds)
  const [first, last] = a.chapter < b.chapter ? [a, b] : [b, a]
  let between = last.seconds - first.seconds
  for (let chapter = first.chapter; chapter < last.chapter; chapter++) {
    between += lengths.get(chapter) ?? Number.POSITIVE_INFINITY
  }
  return Math.abs(between)
}
