export interface Chapter {
  readonly title: string
  readonly soundId: string
  readonly durationMs: number
}

/** Where each chapter of `before` is in `after`, by its number; null if it is gone. */
export function chapterMoves(
  before: readonly Chapter[],
  after: readonly Chapter[],
): ReadonlyMap<number, number | null> {
  const moves = new Map<number, number>()
  const taken = new Set<number>()
  /** The most certain first. A chapter with another sound and the same name or place is a replaced one. */
  const same: readonly ((one: Chapter, other: Chapter, isSamePlace: boolean) => boolean)[] = [
    (one, other, isSamePlace) => isSamePlace && one.soundId === other.soundId,
    (one, other) => one.soundId === other.soundId,
    (one, other, isSamePlace) => isSamePlace && one.title === other.title,
    (one, other) => one.title === other.title,
    (_one, _other, isSamePlace) => isSamePlace,
  ]
  for (const isSame of same)
    for (const [index, one] of before.entries()) {
      if (moves.has(index + 1)) continue
      const at = after.findIndex(
        (other, place) => !taken.has(place + 1) && isSame(one, other, place === index),
      )
      if (at < 0) continue
      moves.set(index + 1, at + 1)
      taken.add(at + 1)
    }
  return new Map(before.map((_, index) => [index + 1, moves.get(index + 1) ?? null]))
}

export function measuredMinutes(list: readonly Pick<Chapter, 'durationMs'>[]): number | null {
  const ms = list.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return ms > 0 ? Math.max(1, Math.round(ms / 60_000)) : null
}
