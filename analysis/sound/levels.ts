/** Frames per second of the level map: one per 10 ms. */
export const FRAMES_PER_SECOND = 100
/** Below the level, in dB, for at least this long, is a silence of the map that players use. */
const SILENCE_DB = 45
const SILENCE_FRAMES = 30
/** As low as a level is stored. */
const FLOOR_DB = 120

/** In frames of 10 ms. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** The root mean square of each 10 ms, as decibels below full scale, from 0 to 120. */
export class LevelMap {
  readonly #rate: number
  #levels = new Uint8Array(60 * FRAMES_PER_SECOND)
  #frames = 0
  #samples = 0
  #nextFrameAt: number
  #inFrame = 0
  #sum = 0

  constructor(rate: number) {
    this.#rate = rate
    this.#nextFrameAt = Math.floor(rate / FRAMES_PER_SECOND)
  }

  add(mono: Float32Array): void {
    for (const sample of mono) {
      this.#sum += sample * sample
      this.#inFrame++
      if (++this.#samples < this.#nextFrameAt) continue
      this.#push(this.#sum / this.#inFrame)
      this.#inFrame = this.#sum = 0
      this.#nextFrameAt = Math.floor(((this.#frames + 1) * this.#rate) / FRAMES_PER_SECOND)
    }
  }

  #push(energy: number): void {
    if (this.#frames === this.#levels.length) {
      const longer = new Uint8Array(this.#levels.length * 2)
      longer.set(this.#levels)
      this.#levels = longer
    }
    const decibels = energy === 0 ? FLOOR_DB : -10 * Math.log10(energy)
    this.#levels[this.#frames++] = Math.min(FLOOR_DB, Math.max(0, Math.round(decibels)))
  }

  get levels(): Uint8Array {
    return this.#levels.subarray(0, this.#frames)
  }

  get durationMs(): number {
    return Math.round((this.#samples / this.#rate) * 1000)
  }
}

export const silencesIn = (levels: Uint8Array): Stretch[] =>
  quietStretches(levels, SILENCE_DB, SILENCE_FRAMES)

export function quietStretches(levels: Uint8Array, belowDb: number, atLeastFrames: number): Stretch[] {
  const found: Stretch[] = []
  let start = -1
  for (let frame = 0; frame <= levels.length; frame++) {
    const isQuiet = frame < levels.length && levels[frame]! > belowDb
    if (isQuiet && start < 0) start = frame
    if (isQuiet || start < 0) continue
    if (frame - start >= atLeastFrames) found.push({ start, end: frame })
    start = -1
  }
  return found
}
