/**
 * Business time: what memberships, gifts, orders and jobs live by. It is the real one, until a demo's is moved on. Sessions,
 * limits, signed addresses and signatures stay on the real one, `shop.now`.
 */
export class BusinessClock {
  readonly #real: () => Date
  /** The distance from the real time. */
  aheadMs = 0

  constructor(real: () => Date) {
    this.#real = real
  }

  now(): Date {
    return new Date(this.#real().getTime() + this.aheadMs)
  }
}
