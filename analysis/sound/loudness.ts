/**
 * Integrated loudness by ITU-R BS.1770-4 (EBU R 128) of one or two channels, fed block by block. Two channels that are
 * the same in the whole file count as one, because the decoder gives a mono file twice, which would be 3 LU too loud.
 */
export class LoudnessMeter {
  readonly #rate: number
  readonly #channels: readonly [Weighting, Weighting]
  /** Mean squares of each 100 ms. */
  readonly #steps: { left: number; right: number }[] = []
  readonly #stepLength: number
  #inStep = 0
  #left = 0
  #right = 0
  #isMono = true

  constructor(rate: number) {
    this.#rate = rate
    this.#channels = [new Weighting(rate), new Weighting(rate)]
    this.#stepLength = Math.round(this.#rate / 10)
  }

  add(left: Float32Array, right: Float32Array): void {
    this.#isMono &&= isSame(left, right)
    const [ofLeft, ofRight] = this.#channels
    for (let at = 0; at < left.length; at++) {
      const a = ofLeft.next(left[at]!)
      this.#left += a * a
      if (!this.#isMono) {
        const b = ofRight.next(right[at]!)
        this.#right += b * b
      }
      if (++this.#inStep < this.#stepLength) continue
      this.#steps.push({
        left: this.#left / this.#stepLength,
        right: (this.#isMono ? this.#left : this.#right) / this.#stepLength,
      })
      this.#inStep = this.#left = this.#right = 0
    }
  }

  /** In LUFS; null for silence and for less than 400 ms. */
  integrated(): number | null {
    const energies = this.#steps.map(({ left, right }) => (this.#isMono ? left : left + right))
    const blocks: number[] = []
    for (let at = 0; at + 4 <= energies.length; at++)
      blocks.push((energies[at]! + energies[at + 1]! + energies[at + 2]! + energies[at + 3]!) / 4)
    const audible = blocks.filter((energy) => loudnessOf(energy) > -70)
    if (audible.length === 0) return null
    const relativeGate = loudnessOf(mean(audible)) - 10
    return loudnessOf(mean(audible.filter((energy) => loudnessOf(energy) > relativeGate)))
  }
}

const loudnessOf = (energy: number): number => -0.691 + 10 * Math.log10(energy)
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

function isSame(left: Float32Array, right: Float32Array): boolean {
  if (left === right) return true
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

/** The K-weighting of BS.1770: a high shelf, then a high pass, at any sample rate (coefficients as in libebur128). */
class Weighting {
  readonly #shelf: Biquad
  readonly #highPass: Biquad

  constructor(rate: number) {
    const shelf = { k: Math.tan((Math.PI * 1681.974450955533) / rate), q: 0.7071752369554196 }
    const gain = 10 ** (3.999843853973347 / 20)
    const middle = gain ** 0.4996667741545416
    const a0 = 1 + shelf.k / shelf.q + shelf.k ** 2
    this.#shelf = new Biquad(
      [
        (gain + (middle * shelf.k) / shelf.q + shelf.k ** 2) / a0,
        (2 * (shelf.k ** 2 - gain)) / a0,
        (gain - (middle * shelf.k) / shelf.q + shelf.k ** 2) / a0,
      ],
      [(2 * (shelf.k ** 2 - 1)) / a0, (1 - shelf.k / shelf.q + shelf.k ** 2) / a0],
    )
    const pass = { k: Math.tan((Math.PI * 38.13547087602444) / rate), q: 0.5003270373238773 }
    const b0 = 1 + pass.k / pass.q + pass.k ** 2
    this.#highPass = new Biquad(
      [1, -2, 1],
      [(2 * (pass.k ** 2 - 1)) / b0, (1 - pass.k / pass.q + pass.k ** 2) / b0],
    )
  }

  next(sample: number): number {
    return this.#highPass.next(this.#shelf.next(sample))
  }
}

class Biquad {
  readonly #b: readonly [number, number, number]
  readonly #a: readonly [number, number]
  #first = 0
  #second = 0

  constructor(b: readonly [number, number, number], a: readonly [number, number]) {
    this.#b = b
    this.#a = a
  }

  next(sample: number): number {
    const state = sample - this.#a[0] * this.#first - this.#a[1] * this.#second
    const out = this.#b[0] * state + this.#b[1] * this.#first + this.#b[2] * this.#second
    this.#second = this.#first
    this.#first = state
    return out
  }
}

const PHASES = 4
const TAPS = 12

/** True peak by 4 × oversampling, computed only around samples that could exceed the highest one so far. */
export class PeakMeter {
  #history = new Float32Array(TAPS)
  #peak = 0

  add(samples: Float32Array): void {
    const all = new Float32Array(TAPS + samples.length)
    all.set(this.#history)
    all.set(samples, TAPS)
    for (let at = TAPS; at < all.length; at++) {
      const level = Math.abs(all[at - TAPS / 2]!)
      if (level > this.#peak) this.#peak = level
      // An inter-sample peak is at most 3 dB above its neighbours in sound without content near the limit of the rate.
      if (level < this.#peak * 0.7) continue
      for (let phase = 1; phase < PHASES; phase++) {
        let sum = 0
        const taps = FILTER[phase]!
        for (let tap = 0; tap < TAPS; tap++) sum += all[at - tap]! * taps[tap]!
        const between = Math.abs(sum)
        if (between > this.#peak) this.#peak = between
      }
    }
    this.#history = all.slice(all.length - TAPS)
  }

  /** In dBTP; null for silence. */
  truePeak(): number | null {
    return this.#peak === 0 ? null : 20 * Math.log10(this.#peak)
  }
}

const FILTER: readonly Float64Array[] = Array.from({ length: PHASES }, (_, phase) => {
  const taps = new Float64Array(TAPS)
  for (let tap = 0; tap < TAPS; tap++) {
    const distance = tap - TAPS / 2 + phase / PHASES
    const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance)
    taps[tap] = sinc * Math.cos((Math.PI * distance) / (TAPS + 2)) ** 2
  }
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
})
