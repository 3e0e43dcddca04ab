import fc from 'fast-check'

/** An arbitrary but fixed number, so that a failure is caused by a change and happens for everybody. */
const USUAL_SEED = 1_862_965_836

/**
 * The seed of random tests: SEED if set (a long run sets it and prints it in its first line), otherwise always the
 * same. The tests hold for every seed: rare cases are set up explicitly.
 */
export const seed = Number(process.env.SEED ?? USUAL_SEED)
if (!Number.isInteger(seed)) throw new Error('SEED is no whole number')

fc.configureGlobal({ seed })

export { fc }

/** A sequence of numbers in [0, 1), the same for the same seed. */
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
