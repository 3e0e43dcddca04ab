/** The rate that the acoustic models were trained at. */
export const SPEECH_RATE = 16_000

/** Zero crossings of the low-pass filter on each side; 10 keep what folds back below -60 dB. */
const CROSSINGS = 10
const PHASES = 256

/** Converts mono sound to 16 kHz, block by block, with a windowed-sinc low pass. */
export class Resampler {
  readonly #step: number
  readonly #half: number
  readonly #phases: readonly Float32Array[]
  #rest: Float32Array
  /** The next output sample, in input samples from the start of `#rest`. */
  #at: number

  constructor(rate: number) {
    this.#step = rate / SPEECH_RATE
    const cutoff = Math.min(1, 1 / this.#step)
    this.#half = Math.ceil(CROSSINGS / cutoff)
    this.#phases = Array.from({ length: PHASES }, (_, phase) => kernel(this.#half, phase / PHASES, cutoff))
    this.#rest = new Float32Array(this.#half)
    this.#at = this.#half
  }

  next(mono: Float32Array): Int16Array {
    const input = new Float32Array(this.#rest.length + mono.length)
    input.set(this.#rest)
    input.set(mono, this.#rest.length)
    const last = input.length - this.#half - 1
    const out = new Int16Array(Math.max(0, Math.ceil((last - this.#at) / this.#step) + 1))
    let written = 0
    let at = this.#at
    for (; at < last; at += this.#step) {
      const whole = Math.floor(at)
      const taps = this.#phases[Math.floor((at - whole) * PHASES)]!
      const from = whole - this.#half + 1
      let sum = 0
      for (let tap = 0; tap < taps.length; tap++) sum += input[from + tap]! * taps[tap]!
      out[written++] = Math.max(-32_768, Math.min(32_767, Math.round(sum * 32_767)))
    }
    const keepFrom = Math.max(0, Math.floor(at) - this.#half)
    this.#rest = input.slice(keepFrom)
    this.#at = at - keepFrom
    return out.subarray(0, written)
  }
}

function kernel(half: number, fraction: number, cutoff: number): Float32Array {
  const taps = new Float32Array(half * 2)
  let sum = 0
  for (let tap = 0; tap < taps.length; tap++) {
    const distance = tap - half + 1 - fraction
    const angle = Math.PI * distance * cutoff
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
    taps[tap] = sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / half))
    sum += taps[tap]!
  }
  return taps.map((tap) => tap / sum)
}
