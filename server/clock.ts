/**
 * For memberships, gifts, orders and jobs: the real time until the demo's clock is advanced.
 * The types of the two clocks can't be mixed up; any other date fits both.
 */
export type BusinessTime = Date & { readonly clock?: 'business' }

/** Real time, for sessions, rate limits, signed addresses and signatures. */
export type RealTime = Date & { readonly clock?: 'real' }

export class BusinessClock {
  readonly #real: () => RealTime
  aheadMs = 0

  constructor(real: () => RealTime) {
    this.#real = real
  }

  now(): BusinessTime {
    return new Date(this.#real().getTime() + this.aheadMs)
  }
}
