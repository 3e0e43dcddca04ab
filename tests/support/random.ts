import fc from 'fast-check'

/**
 * Random tests repeat themselves: the run's first line says its seed, and `SEED=… npx vitest run …` plays it again.
 */
export const seed = Number(process.env.SEED)
if (!Number.isInteger(seed)) throw new Error('SEED is no whole number; vitest.config.ts chooses one')

fc.configureGlobal({ seed })

export { fc }

/** A row of numbers from 0 up to 1, the same for the same seed. */
export function randomNumbers(from = seed): () => number {
  let state = from >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
