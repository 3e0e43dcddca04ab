/**
 * Business time, used by memberships, gifts, orders and jobs. It equals the real time until the demo's clock is
 * advanced. Sessions, rate limits, signed addresses and signatures use the real time, `shop.now`.
 */
export class BusinessClock {
  readonly #real: () => Date
  aheadMs = 0

  constructor(real: () => Date) {
    this.#real = real
  }

  now(): Date {
    return new Date(this.#real().getTime() + this.aheadMs)
  }
}
