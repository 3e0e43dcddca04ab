export type Random = () => number

/** FNV-1a over UTF-16 units. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mixed(hash)
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
}

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low)

/** Mean 0, deviation 1, limited to ±3. */
export const around = (random: Random): number =>
  Math.max(-3, Math.min(3, (random() + random() + random() + random() - 2) * Math.sqrt(3)))

// FNV leaves the low bits of similar slugs alike, and the composition is chosen by them.
function mixed(hash: number): number {
  let word = hash ^ (hash >>> 16)
  word = Math.imul(word, 0x85ebca6b)
  word ^= word >>> 13
  word = Math.imul(word, 0xc2b2ae35)
  return (word ^ (word >>> 16)) >>> 0
}
